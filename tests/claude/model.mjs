#!/usr/bin/env node
// model.mjs SCRIPT LOG: a model that says what a script tells it to.
//
// Speaks as much of the Anthropic Messages API, streamed, as Claude Code needs,
// on a free loopback port, which it prints. It decides nothing: SCRIPT is a JSON
// list of turns, one taken for each request of the main conversation:
//   {"tool": NAME, "input": {…}}   a tool call; "id" may name it
//   {"tools": [{…}, {…}]}          several in one turn
//   {"say": "text"}                words, which end the turn
// After the last one it says "done". A turn with "as": "sub" is kept for the
// requests whose first user message holds that marker, so a subagent has a
// script of its own; a turn with "wait": FILE is held until FILE exists.
// LOG gets one JSON line a request: {n, role, tools, results, last, body}.
import { createServer } from 'node:http';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const [scriptFile, logFile] = process.argv.slice(2);
const queues = new Map();
for (const turn of JSON.parse(readFileSync(scriptFile, 'utf8'))) {
	const who = turn.as ?? 'main';
	if (!queues.has(who)) queues.set(who, []);
	queues.get(who).push(turn);
}
let served = 0;

function textOf(content) {
	if (typeof content === 'string') return content;
	return (content ?? []).map((b) => b.text ?? '').join('\n');
}

// Whose turn a request is: a subagent's first message carries its marker.
function roleOf(body) {
	const first = textOf(body.messages?.[0]?.content);
	for (const who of queues.keys())
		if (who !== 'main' && first.includes(who)) return who;
	return 'main';
}

// The tool results the model had not been told before.
const told = new Set();
function resultsOf(body) {
	return (body.messages ?? [])
		.flatMap((m) => (Array.isArray(m.content) ? m.content : []))
		.filter((b) => b.type === 'tool_result' && !told.has(b.tool_use_id))
		.map((b) => {
			told.add(b.tool_use_id);
			return { id: b.tool_use_id, error: b.is_error ?? false, text: textOf(b.content) };
		});
}

function blocksOf(turn, n) {
	if (turn.say !== undefined) return [{ type: 'text', text: turn.say }];
	return (turn.tools ?? [turn]).map((call, i) => ({
		type: 'tool_use', id: call.id ?? `toolu_${String(n).padStart(4, '0')}_${i}`,
		name: call.tool, input: call.input ?? {},
	}));
}

function* eventsOf(message) {
	yield { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
	for (const [index, block] of message.content.entries()) {
		const call = block.type === 'tool_use';
		yield { type: 'content_block_start', index,
			content_block: call ? { ...block, input: {} } : { type: 'text', text: '' } };
		yield { type: 'content_block_delta', index, delta: call
			? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
			: { type: 'text_delta', text: block.text } };
		yield { type: 'content_block_stop', index };
	}
	yield { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null },
		usage: { output_tokens: 1 } };
	yield { type: 'message_stop' };
}

function reply(response, body, turn, n) {
	const content = blocksOf(turn, n);
	const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: body.model,
		content, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 },
		stop_reason: content[0].type === 'tool_use' ? 'tool_use' : 'end_turn' };
	if (!body.stream) {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(message));
		return;
	}
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	for (const event of eventsOf(message))
		response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	response.end();
}

function whenThere(file, then) {
	if (!file || existsSync(file)) then();
	else setTimeout(() => whenThere(file, then), 20);
}

function messages(response, body) {
	const role = roleOf(body);
	// Titles and the like are asked without tools and take no turn.
	const aside = !body.tools?.length;
	const turn = aside ? { say: 'ok' } : queues.get(role)?.shift() ?? { say: 'done' };
	const n = ++served;
	appendFileSync(logFile, JSON.stringify({ n, role: aside ? 'aside' : role,
		tools: body.tools?.map((t) => t.name), results: resultsOf(body),
		last: textOf(body.messages?.at(-1)?.content), body }) + '\n');
	whenThere(turn.wait, () => reply(response, body, turn, n));
}

const server = createServer((request, response) => {
	const parts = [];
	request.on('data', (part) => parts.push(part));
	request.on('end', () => {
		const path = new URL(request.url, 'http://x').pathname;
		const body = parts.length ? JSON.parse(Buffer.concat(parts)) : {};
		if (request.method === 'POST' && path === '/v1/messages')
			return messages(response, body);
		response.writeHead(path.endsWith('/count_tokens') ? 200 : 404,
			{ 'content-type': 'application/json' });
		response.end(path.endsWith('/count_tokens') ? '{"input_tokens":1}' : '{}');
	});
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
