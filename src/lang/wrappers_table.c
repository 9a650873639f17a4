/*
 * wrappers_table.c - one row a program that runs others (see wrappers.h).
 * Sorted by name.
 */
#include "lang/shell_priv.h"

#define SH "abefhiklmnprtuvxBCEHPT @c ~s oO= --login --noprofile --norc --posix " \
	"--restricted --verbose ^--rcfile= ^--init-file= $--version $--help"
#define PY "bBdEiIOPqRsSuvx $V $h WX= %c= .m= $--version $--help --check-hash-based-pycs="
#define NODE "%-pe= %ep= $v $h c i r= C= $--version $--help %--eval= %--print= " \
	"--require= --import= --input-type= --check --interactive +--test --watch " \
	"--no-warnings --trace-warnings --expose-gc --inspect? --max-old-space-size= " \
	"--experimental-strip-types --env-file= --loader= --experimental-loader="
#define DOCKER_RUN "dith P q --detach --interactive --tty --rm --init --privileged " \
	"--read-only --no-healthcheck --quiet aecluvwpm= --name= --env= --env-file= " \
	"--volume= --mount= --workdir= --user= --network= --net= --publish= --memory= " \
	"--cpus= --hostname= --label= --platform= --pull= --add-host= --cap-add= " \
	"--cap-drop= --device= --dns= --expose= --gpus= --group-add= --ipc= --link= " \
	"--log-driver= --pid= --restart= --security-opt= --shm-size= --stop-signal= " \
	"--tmpfs= --ulimit= --userns= --volumes-from= --cidfile= ^--entrypoint="
#define DOCKER_EXEC "diT t euw= --detach --interactive --tty --privileged --env= " \
	"--env-file= --user= --workdir= --index= --no-TTY"
#define DOCKER_GLOBAL "D cHl= --debug --tls --tlsverify --host= --context= --config= " \
	"--log-level= fp= --file= --project-name= --profile= --env-file= $v $--version $--help"
#define KUBE "itq cn= --stdin --tty --quiet --container= --namespace= --context= " \
	"--kubeconfig= --cluster= f= --filename= --pod-running-timeout="
#define KUBE_GLOBAL "ns= --namespace= --context= --kubeconfig= --cluster= --server= " \
	"--user= --token= --as= --request-timeout= $--help"
#define SUDO "AbBEHiknNPsS $hKlvV eCDghpRrtTuU= --askpass --background --preserve-env? " \
	"--set-home --login --non-interactive --shell --stdin --user= --group= --host= " \
	"--chdir= --chroot= --prompt= --role= --type= --close-from= --command-timeout= " \
	"--reset-timestamp $--version $--help $--list $--validate $--remove-timestamp"
#define MYSQL "hPuDS= p? ABbfHnNqrsStvwE %e= %--execute= --host= --port= --user= " \
	"--password? --database= --batch --silent --skip-column-names --table --raw " \
	"--ssl-mode= --default-character-set= --protocol= --socket= --vertical $V $--version"
#define PSQL "hUdpvPFRLTo= f= aAbeEHlnqsStwWxXz01 %c= %--command= $V $--version --host= " \
	"--username= --dbname= --port= --file= --set= --variable= --no-align --quiet " \
	"--tuples-only --csv --html --no-psqlrc --single-transaction --echo-all --pset= " \
	"--output= --list --expanded --no-password"
#define VI "-es -Es %c= %--cmd= ^SsWwu= noRTbdeEyZmMnrxXAHFlvVhpgOtiUq"
#define XARGS "0rtxpo #I= #i? #J= adEeLlnPsSR= --null --no-run-if-empty --verbose " \
	"--exit --interactive --open-tty --arg-file= --delimiter= --eof? --replace? " \
	"--max-lines? --max-args= --max-procs= --max-chars= --process-slot-var= " \
	"$--version $--help --show-limits"

const struct wrapper wrappers[] = {
	{ .name = "adb", .opts = "", .kind = WRAP_OPAQUE, .why = "remote_command" },
	{ .name = "ash", .opts = SH, .kind = WRAP_SHELL, .bits = WRAP_PLUS },
	{ .name = "at", .opts = "", .kind = WRAP_OPAQUE, .why = "interpreter_stdin" },
	{ .name = "awk", .opts = "vF= ^f=", .kind = WRAP_CODE, .bits = WRAP_CODE_FIRST,
		.lang = "awk" },
	{ .name = "bash", .opts = SH, .kind = WRAP_SHELL, .bits = WRAP_PLUS },
	{ .name = "batch", .opts = "", .kind = WRAP_OPAQUE, .why = "interpreter_stdin" },
	{ .name = "bpython", .opts = PY, .kind = WRAP_CODE, .lang = "python" },
	{ .name = "builtin", .opts = "", .kind = WRAP_ARGV, .bits = WRAP_BARE },
	{ .name = "bun",
		.opts = "%e= %p= %--eval= %--print= b $v $--version $--help --cwd= --watch --hot",
		.kind = WRAP_CODE, .lang = "node" },
	{ .name = "bundle exec", .opts = "--keep-file-descriptors", .kind = WRAP_ARGV },
	{ .name = "bundle", .opts = "", .kind = WRAP_SUBS },
	{ .name = "busybox", .opts = "$--list $--help", .kind = WRAP_ARGV },
	{ .name = "bwrap", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "caffeinate", .opts = "disum tw=", .kind = WRAP_ARGV },
	{ .name = "chronic", .opts = "ev", .kind = WRAP_ARGV },
	{ .name = "chroot", .opts = "--groups= --userspec= --skip-chdir $--help $--version",
		.kind = WRAP_ARGV, .bits = WRAP_NEEDS, .operands = 1 },
	{ .name = "chrt", .opts = "abdfiormpTPDv", .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "cmd", .opts = "", .kind = WRAP_OPAQUE, .why = "unknown_shell" },
	{ .name = "cmd.exe", .opts = "", .kind = WRAP_OPAQUE, .why = "unknown_shell" },
	{ .name = "command", .opts = "p $v $V", .kind = WRAP_ARGV },
	{ .name = "conda run",
		.opts = "np= --name= --prefix= --no-capture-output --live-stream v",
		.kind = WRAP_ARGV },
	{ .name = "conda", .opts = "$V $h $--version $--help", .kind = WRAP_SUBS },
	{ .name = "csh", .opts = "%c= bdefimnqstvVxX", .kind = WRAP_CODE, .lang = "csh",
		.why = "unknown_shell" },
	{ .name = "dash", .opts = SH, .kind = WRAP_SHELL, .bits = WRAP_PLUS },
	{ .name = "dbus-run-session",
		.opts = "--dbus-daemon= --config-file= $--help $--version", .kind = WRAP_ARGV },
	{ .name = "deno eval", .opts = "pqT --print --quiet --ext=", .kind = WRAP_CODE,
		.bits = WRAP_CODE_FIRST, .lang = "node" },
	{ .name = "deno", .opts = "q $V $h $--version $--help", .kind = WRAP_SUBS },
	{ .name = "direnv exec", .opts = "", .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "direnv", .opts = "", .kind = WRAP_SUBS },
	{ .name = "doas", .opts = "$L nSs aCu=", .kind = WRAP_ARGV,
		.bits = WRAP_ASSIGNS | WRAP_NEEDS },
	{ .name = "docker compose exec", .opts = DOCKER_EXEC, .kind = WRAP_ARGV,
		.operands = 1 },
	{ .name = "docker compose run",
		.opts = DOCKER_RUN " --service-ports --use-aliases --no-deps T",
		.kind = WRAP_ARGV, .operands = 1 },
	{ .name = "docker compose", .opts = DOCKER_GLOBAL, .kind = WRAP_SUBS },
	{ .name = "docker container exec", .opts = DOCKER_EXEC, .kind = WRAP_ARGV,
		.operands = 1 },
	{ .name = "docker container run", .opts = DOCKER_RUN, .kind = WRAP_ARGV,
		.operands = 1 },
	{ .name = "docker container", .opts = "", .kind = WRAP_SUBS },
	{ .name = "docker create", .opts = DOCKER_RUN, .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "docker exec", .opts = DOCKER_EXEC, .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "docker run", .opts = DOCKER_RUN, .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "docker", .opts = DOCKER_GLOBAL, .kind = WRAP_SUBS },
	{ .name = "docker-compose exec", .opts = DOCKER_EXEC, .kind = WRAP_ARGV,
		.operands = 1 },
	{ .name = "docker-compose run", .opts = DOCKER_RUN " T", .kind = WRAP_ARGV,
		.operands = 1 },
	{ .name = "docker-compose", .opts = DOCKER_GLOBAL, .kind = WRAP_SUBS },
	{ .name = "dotenv", .opts = "efq= --file= --env-file=", .kind = WRAP_ARGV,
		.bits = WRAP_ASSIGNS },
	{ .name = "ed", .opts = "", .kind = WRAP_CODE, .bits = WRAP_IF_FED, .lang = "ed" },
	{ .name = "elvish", .opts = "%c", .kind = WRAP_CODE, .lang = "elvish",
		.why = "unknown_shell" },
	{ .name = "emacs",
		.opts = "%--eval= %--execute= ^l= ^--load= ^--script= ^f= ^--funcall=",
		.kind = WRAP_OPTIONS, .lang = "emacs" },
	{ .name = "entr", .opts = "acdnprsxz", .kind = WRAP_ARGV },
	{ .name = "env",
		.opts = "i0v uC= &S= --ignore-environment --null --debug --unset= --chdir= "
		"&--split-string= --block-signal? --default-signal? --ignore-signal? "
		"--list-signal-handling $--version $--help", .kind = WRAP_ARGV,
		.bits = WRAP_ASSIGNS },
	{ .name = "eval", .opts = "", .kind = WRAP_LINE, .bits = WRAP_BARE, .why = "eval" },
	{ .name = "ex", .opts = VI, .kind = WRAP_CODE,
		.bits = WRAP_PLUS | WRAP_IF_FED | WRAP_PERMUTE, .operands = 9, .lang = "vim" },
	{ .name = "exec", .opts = "cl a=", .kind = WRAP_ARGV },
	{ .name = "expect", .opts = "%c= ^f= bdDi", .kind = WRAP_CODE, .lang = "expect" },
	{ .name = "fakeroot", .opts = "su lib=", .kind = WRAP_ARGV },
	{ .name = "fd", .opts = "", .kind = WRAP_SPECIAL, .follow = sp_fd },
	{ .name = "fdfind", .opts = "", .kind = WRAP_SPECIAL, .follow = sp_fd },
	{ .name = "find", .opts = "", .kind = WRAP_SPECIAL, .follow = sp_find },
	{ .name = "firejail", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "fish", .opts = "%cC= dfilnNPpv $v $h", .kind = WRAP_CODE, .lang = "fish",
		.why = "unknown_shell" },
	{ .name = "flock",
		.opts = "enosuxFv wE= --exclusive --nonblock --shared --unlock --close "
		"--no-fork --verbose --timeout= --wait= --conflict-exit-code= !c= !--command=",
		.kind = WRAP_ARGV, .bits = WRAP_PERMUTE, .operands = 1 },
	{ .name = "gawk",
		.opts = "vF= f= --field-separator= --assign= ^iEl= ^--include= ^--load= ^--exec= "
		"--file= %e= %--source= --posix --sandbox --re-interval $V $--version",
		.kind = WRAP_CODE, .bits = WRAP_CODE_FIRST, .lang = "awk" },
	{ .name = "gcloud compute ssh",
		.opts = "!--command= --zone= --project= --tunnel-through-iap --quiet",
		.kind = WRAP_LINE, .bits = WRAP_PERMUTE | WRAP_REMOTE, .operands = 1 },
	{ .name = "gcloud compute", .opts = "", .kind = WRAP_SUBS },
	{ .name = "gcloud", .opts = "$--version $--help --project= --quiet",
		.kind = WRAP_SUBS },
	{ .name = "gdb",
		.opts = "^x= ^--command= ^--eval-command= ^-ex= ^-x= ^-ix= ^-iex= ^--args",
		.kind = WRAP_OPTIONS },
	{ .name = "git", .opts = "", .kind = WRAP_SPECIAL, .follow = sp_git },
	{ .name = "gosu", .opts = "", .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "gsed",
		.opts = "nErsuz i? ^f= %e= l= --expression= --in-place? --quiet --silent",
		.kind = WRAP_CODE, .bits = WRAP_CODE_FIRST | WRAP_PERMUTE, .lang = "sed" },
	{ .name = "hyperfine", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "ionice", .opts = "t cnpPu= --class= --classdata= --ignore",
		.kind = WRAP_ARGV },
	{ .name = "ipython", .opts = PY, .kind = WRAP_CODE, .lang = "python" },
	{ .name = "irb", .opts = "", .kind = WRAP_CODE, .bits = WRAP_IF_FED, .lang = "ruby" },
	{ .name = "julia",
		.opts = "%eE= %--eval= %--print= L= qiv $v --project? --startup-file=",
		.kind = WRAP_CODE, .lang = "julia" },
	{ .name = "ksh", .opts = SH, .kind = WRAP_SHELL, .bits = WRAP_PLUS },
	{ .name = "kubectl exec", .opts = KUBE, .kind = WRAP_ARGV,
		.bits = WRAP_PERMUTE | WRAP_DASHES, .operands = 1 },
	{ .name = "kubectl run", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "kubectl", .opts = KUBE_GLOBAL, .kind = WRAP_SUBS },
	{ .name = "less", .opts = "", .kind = WRAP_OPTIONS },
	{ .name = "linux32", .opts = "", .kind = WRAP_ARGV },
	{ .name = "ltrace", .opts = "bcCfhirStLxV aAeDFlnopsu=", .kind = WRAP_ARGV },
	{ .name = "lua", .opts = "%e= l= iEvW $v", .kind = WRAP_CODE, .lang = "lua" },
	{ .name = "lxc exec", .opts = "tTnqD --env= --user= --group= --cwd= --mode= --",
		.kind = WRAP_ARGV, .bits = WRAP_PERMUTE | WRAP_DASHES, .operands = 1 },
	{ .name = "lxc", .opts = "", .kind = WRAP_SUBS },
	{ .name = "make", .opts = "!--eval= ^--eval=", .kind = WRAP_OPTIONS },
	{ .name = "man",
		.opts = "!P= !--pager= ^H? ^--html? ^C= ^--config-file= ^p= ^--preprocessor= "
		"^T? ^--troff-device? ^--gxditview? ^X?", .kind = WRAP_OPTIONS },
	{ .name = "mariadb", .opts = MYSQL, .kind = WRAP_CODE,
		.bits = WRAP_IF_FED | WRAP_PERMUTE, .operands = 9, .lang = "mysql" },
	{ .name = "mawk", .opts = "vF= ^f= ^W=", .kind = WRAP_CODE, .bits = WRAP_CODE_FIRST,
		.lang = "awk" },
	{ .name = "mise exec", .opts = "C= --cd=", .kind = WRAP_ARGV, .bits = WRAP_DASHES },
	{ .name = "mise x", .opts = "C= --cd=", .kind = WRAP_ARGV, .bits = WRAP_DASHES },
	{ .name = "mise", .opts = "C= --cd= q v", .kind = WRAP_SUBS },
	{ .name = "mksh", .opts = SH, .kind = WRAP_SHELL, .bits = WRAP_PLUS },
	{ .name = "mongosh", .opts = "%--eval= --quiet --nodb", .kind = WRAP_CODE,
		.bits = WRAP_IF_FED, .operands = 9, .lang = "mongosh" },
	{ .name = "mysql", .opts = MYSQL, .kind = WRAP_CODE,
		.bits = WRAP_IF_FED | WRAP_PERMUTE, .operands = 9, .lang = "mysql" },
	{ .name = "nawk", .opts = "vF= ^f=", .kind = WRAP_CODE, .bits = WRAP_CODE_FIRST,
		.lang = "awk" },
	{ .name = "nc", .opts = "^c= ^e= ^--sh-exec= ^--exec=", .kind = WRAP_OPTIONS },
	{ .name = "ncat", .opts = "^c= ^e= ^--sh-exec= ^--exec= ^--lua-exec=",
		.kind = WRAP_OPTIONS },
	{ .name = "nice", .opts = "0123456789 n= --adjustment= $--help $--version",
		.kind = WRAP_ARGV },
	{ .name = "nix-shell", .opts = "p= !--run= !--command= I= --packages= --pure",
		.kind = WRAP_LINE, .bits = WRAP_PERMUTE, .operands = 9 },
	{ .name = "node", .opts = NODE, .kind = WRAP_CODE, .lang = "node" },
	{ .name = "nodejs", .opts = NODE, .kind = WRAP_CODE, .lang = "node" },
	{ .name = "nohup", .opts = "$--help $--version", .kind = WRAP_ARGV },
	{ .name = "npm exec", .opts = "!c= !--call= p= --package= y --yes --no",
		.kind = WRAP_ARGV },
	{ .name = "npm",
		.opts = "s --silent --prefix= w= --workspace= --workspaces $v $--version",
		.kind = WRAP_SUBS },
	{ .name = "npx",
		.opts = "!c= !--call= p= --package= yq --yes --no --quiet --no-install "
		"--prefer-offline --ignore-existing $v $--version $--help", .kind = WRAP_ARGV },
	{ .name = "nsenter",
		.opts = "aFZ tSG= mupinUCT? r? w? e --all --target= --mount? --uts? --ipc? "
		"--net? --pid? --user? --cgroup? --time? --setuid= --setgid= --root? --wd? "
		"--no-fork --preserve-credentials", .kind = WRAP_ARGV, .bits = WRAP_NEEDS },
	{ .name = "nsjail", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "nu", .opts = "%c= n", .kind = WRAP_CODE, .lang = "nu",
		.why = "unknown_shell" },
	{ .name = "osascript", .opts = "%e= l= s=", .kind = WRAP_CODE, .lang = "osascript" },
	{ .name = "parallel",
		.opts = "k0vmXtu jPnNLC= --jobs= --keep-order --null --will-cite --no-notice "
		"--bar --progress --eta --halt= --delay= --timeout= --retries= --dry-run "
		"--colsep= --max-args= --tag --line-buffer --lb --joblog= --verbose "
		"#I= #i?", .kind = WRAP_LINE, .bits = WRAP_MORE | WRAP_NEEDS | WRAP_COLONS },
	{ .name = "perf", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "perl", .opts = "acflnpsStTuUwWX0123456789 %eE= iFMmICDdVx? $v $h",
		.kind = WRAP_CODE, .lang = "perl" },
	{ .name = "php", .opts = "%rBRE= S= t= f= cdz= aCeHlnqsw $v $i $m $h F=",
		.kind = WRAP_CODE, .lang = "php" },
	{ .name = "pipenv run", .opts = "", .kind = WRAP_ARGV },
	{ .name = "pipenv", .opts = "$--version $--help", .kind = WRAP_SUBS },
	{ .name = "pkexec",
		.opts = "--user= --disable-internal-agent --keep-cwd $--version $--help",
		.kind = WRAP_ARGV, .bits = WRAP_NEEDS },
	{ .name = "pnpm dlx", .opts = "", .kind = WRAP_ARGV },
	{ .name = "pnpm exec", .opts = "c", .kind = WRAP_ARGV },
	{ .name = "pnpm",
		.opts = "C= --dir= r --recursive --filter= w s --silent $v $--version",
		.kind = WRAP_SUBS },
	{ .name = "podman container exec", .opts = DOCKER_EXEC, .kind = WRAP_ARGV,
		.operands = 1 },
	{ .name = "podman container", .opts = "", .kind = WRAP_SUBS },
	{ .name = "podman exec", .opts = DOCKER_EXEC, .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "podman run", .opts = DOCKER_RUN, .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "podman", .opts = DOCKER_GLOBAL, .kind = WRAP_SUBS },
	{ .name = "poetry run", .opts = "", .kind = WRAP_ARGV },
	{ .name = "poetry", .opts = "nqv C= --directory= $V $--version", .kind = WRAP_SUBS },
	{ .name = "powershell", .opts = "", .kind = WRAP_OPAQUE, .why = "powershell" },
	{ .name = "powershell.exe", .opts = "", .kind = WRAP_OPAQUE, .why = "powershell" },
	{ .name = "prlimit", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "proxychains", .opts = "q f=", .kind = WRAP_ARGV },
	{ .name = "proxychains4", .opts = "q f=", .kind = WRAP_ARGV },
	{ .name = "psql", .opts = PSQL, .kind = WRAP_CODE, .bits = WRAP_IF_FED | WRAP_PERMUTE,
		.operands = 9, .lang = "psql" },
	{ .name = "pwsh", .opts = "", .kind = WRAP_OPAQUE, .why = "powershell" },
	{ .name = "pypy3", .opts = PY, .kind = WRAP_CODE, .lang = "python" },
	{ .name = "python", .opts = PY, .kind = WRAP_CODE, .lang = "python" },
	{ .name = "python2", .opts = PY, .kind = WRAP_CODE, .lang = "python" },
	{ .name = "python3", .opts = PY, .kind = WRAP_CODE, .lang = "python" },
	{ .name = "rbash", .opts = SH, .kind = WRAP_SHELL, .bits = WRAP_PLUS },
	{ .name = "rg", .opts = "!--pre= !--hostname-bin=", .kind = WRAP_OPTIONS },
	{ .name = "rlwrap", .opts = "acinNrRwX", .kind = WRAP_ARGV },
	{ .name = "rsync", .opts = "!e= !--rsh= !--rsync-path=", .kind = WRAP_OPTIONS },
	{ .name = "ruby", .opts = "acdlnpsSvwWy0123456789 %e= iFTKxCEI? r= $--version $--help",
		.kind = WRAP_CODE, .lang = "ruby" },
	{ .name = "runuser",
		.opts = "lmpPf !c= !--command= !--session-command= gGsuwT= --login --user= "
		"--group= --shell= --preserve-environment", .kind = WRAP_ARGV,
		.bits = WRAP_PERMUTE | WRAP_NEEDS, .operands = 9 },
	{ .name = "Rscript", .opts = "%e= --vanilla --no-save --quiet $--version",
		.kind = WRAP_CODE, .lang = "R" },
	{ .name = "scp", .opts = "346ABCOpqRrTv cDFiJlPX= !S= *o=", .kind = WRAP_OPTIONS },
	{ .name = "screen", .opts = "", .kind = WRAP_OPAQUE, .why = "remote_command" },
	{ .name = "script",
		.opts = "aefqV BEIOTmo= !c= !--command= --append --flush --quiet --return "
		"--log-in= --log-out= --log-io= --log-timing= --output-limit= --echo=",
		.kind = WRAP_ARGV, .bits = WRAP_PERMUTE | WRAP_NEEDS, .operands = 1 },
	{ .name = "sed",
		.opts = "nErsuz i? ^f= %e= l= %--expression= --in-place? --quiet --silent "
		"--regexp-extended --separate --unbuffered --null-data --posix --sandbox "
		"--debug ^--file= --line-length= --follow-symlinks $--version $--help",
		.kind = WRAP_CODE, .bits = WRAP_CODE_FIRST | WRAP_PERMUTE, .lang = "sed" },
	{ .name = "setarch", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "setpriv", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "setsid", .opts = "cfw --ctty --fork --wait $V $h $--version $--help",
		.kind = WRAP_ARGV },
	{ .name = "sftp", .opts = "", .kind = WRAP_OPTIONS, .bits = WRAP_IF_FED },
	{ .name = "sh", .opts = SH, .kind = WRAP_SHELL, .bits = WRAP_PLUS },
	{ .name = "sort", .opts = "!--compress-program=", .kind = WRAP_OPTIONS },
	{ .name = "split", .opts = "!--filter=", .kind = WRAP_OPTIONS },
	{ .name = "sqlite3",
		.opts = "^A -init= -cmd= -separator= -header -noheader -csv -json -column -line "
		"-list -markdown -box -table -readonly -batch -bail -echo -interactive -safe",
		.kind = WRAP_CODE, .bits = WRAP_IF_FED | WRAP_CODE_FIRST, .operands = 1,
		.lang = "sqlite3" },
	{ .name = "ssh", .opts = "46AaCfGgKkMnqsTtVvXxYy $N BbcDEeIiJLlmOpQRSWw= ^F= *o=",
		.kind = WRAP_LINE, .bits = WRAP_PERMUTE | WRAP_REMOTE, .operands = 1 },
	{ .name = "sshpass", .opts = "f= pd= eP= v", .kind = WRAP_ARGV },
	{ .name = "stdbuf", .opts = "ioe= --input= --output= --error= $--help $--version",
		.kind = WRAP_ARGV },
	{ .name = "strace",
		.opts = "cCdDfFhikNnqrtTvVwxyYzZ abeIoOpPsSuUX= ^E= --follow-forks --summary? "
		"--trace= --output= --string-limit= --quiet?", .kind = WRAP_ARGV,
		.bits = WRAP_NEEDS },
	{ .name = "su",
		.opts = "lmpPf !c= !--command= !--session-command= gGsTw= --login --group= "
		"--shell= --preserve-environment $V $h", .kind = WRAP_ARGV,
		.bits = WRAP_PERMUTE | WRAP_NEEDS, .operands = 9 },
	{ .name = "su-exec", .opts = "", .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "sudo", .opts = SUDO, .kind = WRAP_ARGV, .bits = WRAP_ASSIGNS | WRAP_NEEDS },
	{ .name = "systemd-run",
		.opts = "qdGrtPS puMH= --user --scope --unit= --property= --wait --pty "
		"--collect --uid= --gid= --setenv= --slice= --same-dir --pipe",
		.kind = WRAP_ARGV },
	{ .name = "tar", .opts = "", .kind = WRAP_SPECIAL, .follow = sp_tar },
	{ .name = "taskset", .opts = "ac --all-tasks --cpu-list", .kind = WRAP_ARGV,
		.operands = 1 },
	{ .name = "tclsh", .opts = "", .kind = WRAP_CODE, .lang = "tcl" },
	{ .name = "tcsh", .opts = "%c= bdefimnqstvVxX", .kind = WRAP_CODE, .lang = "csh",
		.why = "unknown_shell" },
	{ .name = "time",
		.opts = "apvqV fo= --append --portability --verbose --quiet --format= --output=",
		.kind = WRAP_ARGV },
	{ .name = "timeout",
		.opts = "fpv ks= --preserve-status --foreground --verbose --kill-after= "
		"--signal= $--help $--version", .kind = WRAP_ARGV, .operands = 1 },
	{ .name = "tmux", .opts = "", .kind = WRAP_OPAQUE, .why = "remote_command" },
	{ .name = "torsocks", .opts = "i", .kind = WRAP_ARGV },
	{ .name = "toybox", .opts = "$--help", .kind = WRAP_ARGV },
	{ .name = "ts-node", .opts = "%e= %p= %--eval= %--print= T P=", .kind = WRAP_CODE,
		.lang = "node" },
	{ .name = "tsx", .opts = NODE, .kind = WRAP_CODE, .lang = "node" },
	{ .name = "unbuffer", .opts = "p", .kind = WRAP_ARGV },
	{ .name = "unshare",
		.opts = "frcVSG mupinUCT? RwSG= --mount? --uts? --ipc? --net? --pid? --user? "
		"--cgroup? --time? --fork --map-root-user --map-current-user --map-auto "
		"--mount-proc? --kill-child? --root= --wd= --setuid= --setgid= --propagation= "
		"--keep-caps", .kind = WRAP_ARGV, .bits = WRAP_NEEDS },
	{ .name = "uv run",
		.opts = "q --no-sync --frozen --locked --isolated --with= p= --python= --extra= "
		"--group= --dev --no-dev --project= --package= --env-file= m",
		.kind = WRAP_ARGV },
	{ .name = "uv", .opts = "qv --quiet --directory= $V $--version", .kind = WRAP_SUBS },
	{ .name = "uvx", .opts = "q --from= --with= p= --python=", .kind = WRAP_ARGV },
	{ .name = "vagrant ssh", .opts = "!c= !--command=", .kind = WRAP_LINE,
		.bits = WRAP_PERMUTE | WRAP_REMOTE, .operands = 1 },
	{ .name = "vagrant", .opts = "", .kind = WRAP_SUBS },
	{ .name = "valgrind", .opts = "", .kind = WRAP_OPAQUE, .why = "wrapper_options" },
	{ .name = "vi", .opts = VI, .kind = WRAP_CODE,
		.bits = WRAP_PLUS | WRAP_IF_FED | WRAP_PERMUTE, .operands = 9, .lang = "vim" },
	{ .name = "view", .opts = VI, .kind = WRAP_CODE,
		.bits = WRAP_PLUS | WRAP_IF_FED | WRAP_PERMUTE, .operands = 9, .lang = "vim" },
	{ .name = "vim", .opts = VI, .kind = WRAP_CODE,
		.bits = WRAP_PLUS | WRAP_IF_FED | WRAP_PERMUTE, .operands = 9, .lang = "vim" },
	{ .name = "nvim", .opts = VI " --headless --clean --noplugin %--lua=",
		.kind = WRAP_CODE, .bits = WRAP_PLUS | WRAP_IF_FED | WRAP_PERMUTE,
		.operands = 9, .lang = "vim" },
	{ .name = "watch",
		.opts = "bcdegptTwrC nq= --beep --color --differences? --errexit --chgexit "
		"--interval= --precise --no-title --no-wrap $v $h $--version $--help",
		.kind = WRAP_LINE, .bits = WRAP_NEEDS },
	{ .name = "xargs", .opts = XARGS, .kind = WRAP_ARGV, .bits = WRAP_MORE },
	{ .name = "xonsh", .opts = "%c=", .kind = WRAP_CODE, .lang = "xonsh",
		.why = "unknown_shell" },
	{ .name = "xvfb-run", .opts = "a enfsp= --auto-servernum --server-args= --server-num=",
		.kind = WRAP_ARGV },
	{ .name = "yarn exec", .opts = "", .kind = WRAP_ARGV },
	{ .name = "yarn", .opts = "s --silent $v $--version", .kind = WRAP_SUBS },
	{ .name = "zip", .opts = "^-TT= ^--unzip-command=", .kind = WRAP_OPTIONS },
	{ .name = "zsh", .opts = SH " fFgGIjJMNOQRVwWXyYZ", .kind = WRAP_SHELL,
		.bits = WRAP_PLUS },
};
const size_t n_wrappers = sizeof(wrappers) / sizeof(wrappers[0]);

/* Does row's name read "name" or "name sub"? */
static bool named(const char *row, struct sv name, struct sv sub)
{
	struct sv all;

	if (name.n == 0 || row[0] != name.p[0])
		return false;
	all = sv_of(row);
	if (sub.p == NULL)
		return sv_eq(all, name);
	return all.n == name.n + 1 + sub.n && all.p[name.n] == ' ' &&
		sv_eq((struct sv){ all.p, name.n }, name) &&
		sv_eq((struct sv){ all.p + name.n + 1, sub.n }, sub);
}

const struct wrapper *wrapper_find(struct sv name, struct sv sub)
{
	size_t n = name.n;

	for (;;) {
		for (size_t i = 0; i < n_wrappers; i++) {
			if (named(wrappers[i].name, name, sub))
				return &wrappers[i];
		}
		/* python3.11, bash-5.2: a version stands behind the name */
		while (n > 0 && (name.p[n - 1] == '.' || name.p[n - 1] == '-' ||
		       (name.p[n - 1] >= '0' && name.p[n - 1] <= '9')))
			n--;
		if (n == name.n || n == 0)
			return NULL;
		name.n = n;
	}
}
