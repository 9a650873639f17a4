/*
 * control_paths_table.c - paths that never pass by default. One row adds one.
 *
 * Here stands what acts later without being asked for again, or is a secret
 * (reads_too); ordinary sources are not here, though tests and builds run them.
 */
#include "policy/control_paths.h"

#include "base/i18n.h"

#define GIT N_("git's own files")
#define AGENT N_("an agent's settings")
#define EDITOR N_("an editor's settings")
#define CI N_("what CI runs")
#define ENVFILE N_("environment and secrets")
#define MEMORY N_("what later sessions read")
#define SHELL N_("shell start-up")
#define LOGIN N_("log-in and keys")
#define SCHED N_("scheduled jobs")
#define OBSTAT N_("obstat's own")
#define BUILD N_("what package tools run")

const struct control_path control_paths[] = {
	{ "/**/.git/**", GIT, false },
	/* Any directory with these is a repository to git, whatever its name. */
	{ "/**/*.git/**", GIT, false }, { "/**/head", GIT, false },
	{ "/**/.gitmodules", GIT, false }, { "/**/.gitattributes", GIT, false },
	{ "/**/.gitconfig", GIT, false }, { "/**/.config/git/**", GIT, false },
	{ "/**/.husky/**", GIT, false }, { "/**/.githooks/**", GIT, false },
	{ "/**/.pre-commit-config.yaml", GIT, false },
	{ "/**/.lefthook*/**", GIT, false }, { "/**/lefthook.y*ml", GIT, false },
	{ "/**/.claude/**", AGENT, false }, { "/**/.claude-plugin/**", AGENT, false },
	{ "/**/claude_desktop_config.json", AGENT, false },
	{ "/**/.claude.json", AGENT, false }, { "/**/.claude*.json", AGENT, false },
	{ "/etc/claude-code/**", AGENT, false },
	{ "/**/.mcp.json", AGENT, false }, { "/**/mcp.json", AGENT, false },
	{ "/**/.codex/**", AGENT, false }, { "/**/.gemini/**", AGENT, false },
	{ "/**/.cursor/**", AGENT, false }, { "/**/.opencode/**", AGENT, false },
	{ "/**/opencode.json*", AGENT, false }, { "/**/.goose/**", AGENT, false },
	{ "/**/.continue/**", AGENT, false }, { "/**/.aider*/**", AGENT, false },
	{ "/**/.windsurf/**", AGENT, false }, { "/**/.cline/**", AGENT, false },
	{ "/**/.roo/**", AGENT, false }, { "/**/.kiro/**", AGENT, false },
	{ "/**/.agents/**", AGENT, false }, { "/**/.config/opencode/**", AGENT, false },
	{ "/**/.config/goose/**", AGENT, false },
	{ "/**/.copilot/**", AGENT, false }, { "/**/.amazonq/**", AGENT, false },
	{ "/**/.qwen/**", AGENT, false }, { "/**/.factory/**", AGENT, false },
	{ "/**/.crush*/**", AGENT, false }, { "/**/.mcp/**", AGENT, false },
	{ "/**/.vscode/**", EDITOR, false }, { "/**/.idea/**", EDITOR, false },
	{ "/**/.zed/**", EDITOR, false }, { "/**/.devcontainer/**", EDITOR, false },
	{ "/**/.devcontainer.json", EDITOR, false },
	{ "/**/.vimrc", EDITOR, false }, { "/**/.exrc", EDITOR, false },
	{ "/**/.nvim.lua", EDITOR, false }, { "/**/.nvimrc", EDITOR, false },
	{ "/**/.config/nvim/**", EDITOR, false }, { "/**/.vim/**", EDITOR, false },
	{ "/**/.emacs*/**", EDITOR, false }, { "/**/.dir-locals*.el", EDITOR, false },
	{ "/**/.editorconfig", EDITOR, false },
	{ "/**/.github/**", CI, false }, { "/**/.gitlab-ci*", CI, false },
	{ "/**/.gitlab/**", CI, false }, { "/**/.circleci/**", CI, false },
	{ "/**/.travis.yml", CI, false }, { "/**/jenkinsfile*", CI, false },
	{ "/**/.jenkins/**", CI, false }, { "/**/azure-pipelines*", CI, false },
	{ "/**/bitbucket-pipelines*", CI, false }, { "/**/.drone*/**", CI, false },
	{ "/**/.woodpecker*/**", CI, false },
	{ "/**/.buildkite/**", CI, false }, { "/**/.teamcity/**", CI, false },
	{ "/**/.forgejo/**", CI, false }, { "/**/.gitea/**", CI, false },
	{ "/**/.ci/**", CI, false }, { "/**/*appveyor.yml", CI, false },
	{ "/**/cloudbuild.y*ml", CI, false }, { "/**/.cirrus.y*ml", CI, false },
	{ "/**/buildspec.y*ml", CI, false }, { "/**/.semaphore/**", CI, false },
	{ "/**/.env*/**", ENVFILE, true }, { "/**/*.env", ENVFILE, true },
	{ "/**/.direnv/**", ENVFILE, false }, { "/**/.*_history", ENVFILE, true },
	{ "/**/.netrc", ENVFILE, true }, { "/**/.pgpass", ENVFILE, true },
	{ "/**/.my.cnf", ENVFILE, true }, { "/**/.git-credentials", ENVFILE, true },
	{ "/**/.aws/**", ENVFILE, true }, { "/**/.azure/**", ENVFILE, true },
	{ "/**/.config/gcloud/**", ENVFILE, true },
	{ "/**/.kube/**", ENVFILE, true }, { "/**/.docker/config.json", ENVFILE, true },
	{ "/**/.config/gh/**", ENVFILE, true }, { "/**/.password-store/**", ENVFILE, true },
	{ "/**/.npmrc", ENVFILE, true }, { "/**/.pypirc", ENVFILE, true },
	{ "/**/.cargo/credentials*", ENVFILE, true },
	{ "/**/id_rsa*", LOGIN, true }, { "/**/id_ed25519*", LOGIN, true },
	{ "/**/id_ecdsa*", LOGIN, true }, { "/**/*.pem", LOGIN, true },
	{ "/**/*.key", LOGIN, true }, { "/**/*.p12", LOGIN, true },
	{ "/**/*.kdbx", LOGIN, true },
	{ "/**/.ssh/**", LOGIN, true },
	{ "/**/authorized_keys*", LOGIN, false }, { "/**/.gnupg/**", LOGIN, true },
	{ "/etc/shadow*", LOGIN, true }, { "/etc/sudoers*", LOGIN, true },
	{ "/etc/sudoers.d/**", LOGIN, true }, { "/etc/pam.d/**", LOGIN, false },
	{ "/etc/ssh/**", LOGIN, true }, { "/proc/**", LOGIN, true },
	{ "/sys/**", LOGIN, false }, { "/dev/**", LOGIN, true },
	{ "/**/claude*.md", MEMORY, false }, { "/**/agents*.md", MEMORY, false },
	{ "/**/gemini*.md", MEMORY, false }, { "/**/memory.md", MEMORY, false },
	{ "/**/memory/**.md", MEMORY, false }, { "/**/memories/**", MEMORY, false },
	{ "/**/.cursorrules", MEMORY, false }, { "/**/.clinerules*/**", MEMORY, false },
	{ "/**/.windsurfrules", MEMORY, false }, { "/**/.goosehints", MEMORY, false },
	{ "/**/.rules", MEMORY, false }, { "/**/conventions.md", MEMORY, false },
	{ "/**/skill.md", MEMORY, false },
	{ "/**/llms.txt", MEMORY, false }, { "/**/.junie/**", MEMORY, false },
	{ "/**/.bashrc", SHELL, false }, { "/**/.bash_profile", SHELL, false },
	{ "/**/.bash_login", SHELL, false }, { "/**/.bash_logout", SHELL, false },
	{ "/**/.bash_aliases", SHELL, false }, { "/**/.profile", SHELL, false },
	{ "/**/.bashrc.d/**", SHELL, false }, { "/**/.config/zsh/**", SHELL, false },
	{ "/**/.kshrc", SHELL, false }, { "/**/.cshrc", SHELL, false },
	{ "/**/.tcshrc", SHELL, false }, { "/**/.login", SHELL, false },
	{ "/**/.zshrc", SHELL, false }, { "/**/.zshenv", SHELL, false },
	{ "/**/.zprofile", SHELL, false }, { "/**/.zlogin", SHELL, false },
	{ "/**/.zlogout", SHELL, false }, { "/**/.inputrc", SHELL, false },
	{ "/**/.config/fish/**", SHELL, false }, { "/**/.pam_environment", SHELL, false },
	{ "/**/.xprofile", SHELL, false }, { "/**/.xsession*", SHELL, false },
	{ "/**/.xinitrc", SHELL, false }, { "/**/.tmux.conf", SHELL, false },
	{ "/**/.config/tmux/**", SHELL, false }, { "/**/.screenrc", SHELL, false },
	{ "/**/.config/autostart/**", SHELL, false },
	{ "/**/.config/environment.d/**", SHELL, false },
	{ "/etc/profile*", SHELL, false }, { "/etc/profile.d/**", SHELL, false },
	{ "/etc/bash.bashrc", SHELL, false }, { "/etc/environment", SHELL, false },
	{ "/etc/ld.so.*", SHELL, false }, { "/etc/ld.so.conf.d/**", SHELL, false },
	{ "/**/crontab*", SCHED, false }, { "/etc/cron*/**", SCHED, false },
	{ "/var/spool/cron/**", SCHED, false }, { "/var/spool/at/**", SCHED, false },
	{ "/etc/anacrontab", SCHED, false }, { "/**/systemd/**", SCHED, false },
	{ "/etc/init.d/**", SCHED, false }, { "/etc/rc.local", SCHED, false },
	{ "/**/.config/systemd/**", SCHED, false },
	{ "/**/.obstat/**", OBSTAT, false },
	{ "/**/.local/state/obstat/**", OBSTAT, true },
	{ "/**/obstat/rules", OBSTAT, false }, { "/**/.config/obstat/**", OBSTAT, false },
	{ "/etc/obstat/**", OBSTAT, false }, { "/var/lib/obstat/**", OBSTAT, false },
	{ "/run/obstat/**", OBSTAT, false }, { "/**/obstat-gate", OBSTAT, false },
	/* Its scripts run at the next install, unasked. */
	{ "/**/package.json", BUILD, false },
	{ "/**/sitecustomize.py", BUILD, false },
	{ "/**/usercustomize.py", BUILD, false }, { "/**/*.pth", BUILD, false },
	{ "/**/.cargo/config*", BUILD, false },
	{ "/**/.yarnrc*", BUILD, false }, { "/**/.pnpmfile.*", BUILD, false },
	{ "/**/.bazelrc", BUILD, false }, { "/**/.condarc", BUILD, false },
	{ "/**/pip.conf", BUILD, false }, { "/**/.mailcap", BUILD, false },
};
const size_t n_control_paths = sizeof(control_paths) / sizeof(control_paths[0]);
