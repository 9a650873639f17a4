/*
 * shell_env.c - variables and ssh's settings by name: which ones make programs
 * run something else, and which ones cannot matter.
 */
#include "lang/shell_priv.h"

#include <string.h>

/* A '*' at either end stands for anything. Known to be read as code, as a
 * program's name, or as where to find either. */
static const char *const risky[] = {
	"PATH", "IFS", "ENV", "BASH_*", "BASHOPTS", "SHELLOPTS", "PS0", "PS1", "PS2",
	"PS4", "PROMPT_COMMAND", "SHELL", "CDPATH", "FPATH", "fpath", "path", "ZDOTDIR",
	"GLOBIGNORE", "HOME", "XDG_*", "LD_*", "DYLD_*", "GCONV_PATH", "LOCPATH",
	"NLSPATH", "GLIBC_TUNABLES", "MALLOC_*", "HOSTALIASES", "RES_OPTIONS",
	"TERMINFO*", "TERMCAP", "INPUTRC", "GIT_*", "*PAGER", "*EDITOR", "VISUAL",
	"BROWSER", "LESS*", "SSH_*", "*_ASKPASS", "*_SSH_COMMAND", "*_RSH", "RSYNC_*",
	"PYTHON*", "PERL*", "RUBY*", "GEM_*", "BUNDLE_*", "NODE_OPTIONS", "NODE_PATH",
	"NODE_EXTRA_CA_CERTS", "NODE_REPL_*", "NPM_*", "npm_*",
	"YARN_*", "DENO_*", "BUN_*", "JAVA_*", "_JAVA_OPTIONS", "JDK_*", "CLASSPATH",
	"MAVEN_*", "GRADLE_*", "LUA_*", "PHPRC", "PHP_*", "AWKPATH", "AWKLIBPATH",
	"R_*", "JULIA_*", "ERL_*", "ELIXIR_*", "CARGO_*", "RUSTC*", "RUSTFLAGS",
	"RUSTUP_*", "GOFLAGS", "GOPATH", "GOROOT", "GOPROXY", "GOTOOLCHAIN", "PIP_*",
	"UV_*", "POETRY_*", "CONDA_*", "VIRTUAL_ENV", "DOCKER_*", "KUBECONFIG",
	"OPENSSL_*", "SSL_*", "CURL_*", "WGETRC", "TAR_OPTIONS", "GZIP", "XZ_*",
	"GREP_OPTIONS", "RIPGREP_CONFIG_PATH", "FZF_*", "BAT_*", "FD_*", "PSQLRC",
	"PSQL_*", "PGSERVICEFILE", "PGSYSCONFDIR", "MYSQL_*", "SQLITE_*", "VIM*",
	"VIMINIT", "EXINIT", "GVIMINIT", "MAKEFLAGS", "MAKEFILES", "GNUMAKEFLAGS",
	"MFLAGS", "CC", "CXX", "LD", "AS", "AR", "CMAKE_*", "PKG_CONFIG*", "ANSIBLE_*",
	"TF_*", "AWS_CONFIG_FILE", "GPG_*", "GNUPGHOME", "SUDO_*", "TMUX*", "SCREENRC",
	"WINEPREFIX", "ELECTRON_*", "GTK_*", "QT_*", "KRB5_*", "CLAUDE_*", "ANTHROPIC_*",
	"OBSTAT_*",
};

static const char *const harmless[] = {
	"LC_*", "LANG", "LANGUAGE", "TZ", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
	"FORCE_COLOR", "COLUMNS", "LINES", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS",
	"GREP_COLORS", "LS_COLORS", "CI",
	"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED",
};

/* Pagers by name: not a program of anyone's choice. */
static bool known_pager(struct sv value)
{
	return value.n == 0 || sv_eqs(value, "cat") || sv_eqs(value, "less");
}

static bool matches(const char *pattern, struct sv name)
{
	size_t n = strlen(pattern);

	if (pattern[0] == '*')
		return sv_ends(name, pattern + 1);
	if (pattern[n - 1] == '*')
		return name.n >= n - 1 && memcmp(name.p, pattern, n - 1) == 0;
	return sv_eqs(name, pattern);
}

static bool split(struct sv word, struct sv *name, struct sv *value)
{
	const char *eq = memchr(word.p, '=', word.n);
	size_t n = eq == NULL ? 0 : (size_t)(eq - word.p);

	if (n == 0)
		return false;
	*value = (struct sv){ eq + 1, word.n - n - 1 };
	if (word.p[n - 1] == '+')
		n--;
	*name = (struct sv){ word.p, n };
	return true;
}

bool sp_assign_harmless(struct sv word)
{
	struct sv name, value;

	if (!split(word, &name, &value))
		return false;
	if (sv_ends(name, "PAGER") && known_pager(value))
		return true;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		/* a locale is also looked for by its path */
		if (matches(harmless[i], name))
			return sv_eqs(name, "TZ") ? value.n == 0 || (value.p[0] != ':' &&
				value.p[0] != '/') : memchr(value.p, '/', value.n) == NULL;
	}
	return false;
}

bool sp_assign_risky(struct sv word)
{
	struct sv name, value;

	if (!split(word, &name, &value) || sp_assign_harmless(word))
		return false;
	if (sv_starts(name, "GIT_AUTHOR_") || sv_starts(name, "GIT_COMMITTER_"))
		return false;
	for (size_t i = 0; i < sizeof(risky) / sizeof(risky[0]); i++) {
		if (matches(risky[i], name))
			return true;
	}
	return false;
}

/* ssh -o: settings that name no command, file or other host. */
bool sp_ssh_tame(struct sv value)
{
	static const char *const keys[] = {
		"StrictHostKeyChecking", "ConnectTimeout", "BatchMode", "LogLevel",
		"ServerAliveInterval", "ServerAliveCountMax", "IdentitiesOnly",
		"UserKnownHostsFile=/dev/null", "PasswordAuthentication",
		"PreferredAuthentications", "RequestTTY", "Compression",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t n = strlen(keys[i]);

		if (value.n >= n && strncasecmp(value.p, keys[i], n) == 0 &&
		    (value.n == n || value.p[n] == '=' || value.p[n] == ' '))
			return memchr(value.p, '\n', value.n) == NULL;
	}
	return false;
}
