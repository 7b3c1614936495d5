#!/bin/sh
# Installs the agent on a device and sets it up by a claim code, or with --uninstall takes it away again:
#   curl -fsSL https://console.example.com/agent/install.sh | sudo sh -s -- https://console.example.com CODE
# With the file of its certificate at the end, where an authority of your own signed that of the server.
set -eu

# Everything below another folder than /: for images of disks.
under=${AGENT_ROOT:-}
dir=$under/opt/masthead-agent
state=$under/var/lib/masthead-agent
command=$under/usr/local/bin/masthead-agent
units=$under/etc/systemd/system
unit=$units/masthead-agent.service

say() { echo "$1"; }
fail() { echo "$1" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

[ -n "$under" ] || [ "$(id -u)" = 0 ] || fail "Run this as root: the agent reads the device and speaks with its container engine"

if [ "${1:-}" = --uninstall ]; then
  if has systemctl; then systemctl disable --now masthead-agent 2>/dev/null || true
  else say "There is no systemd here: if the agent runs, end it yourself"
  fi
  rm -rf "$dir" "$unit" "$command" "$state"
  if has systemctl; then systemctl daemon-reload; fi
  say "The agent is gone. Containers that it started are still there: docker ps --filter label=masthead.container"
  exit 0
fi

server=${1:-}
code=${2:-}
ca=${3:-}
server=${server%/}
[ -n "$server" ] && [ -n "$code" ] || fail "Say where the server is, and the claim code"
[ -z "$ca" ] || [ -r "$ca" ] || fail "There is no file $ca to read"
has curl || fail "Install curl first: the agent is fetched by it"
[ -S /var/run/docker.sock ] || [ -S /run/podman/podman.sock ] ||
  say "Neither Docker nor podman answers here yet: the agent runs, and containers come once one of them does"

# What starts the agent, and the agent itself in a folder of its version: later versions come beside it.
mkdir -p "$dir"
chmod 0755 "$dir"
# Whom the agent trusts beside the authorities that Node.js knows.
trust=
if [ -n "$ca" ]; then
  cat "$ca" >"$dir/new-authority.pem"
  mv "$dir/new-authority.pem" "$dir/authority.pem"
  trust="NODE_EXTRA_CA_CERTS=$dir/authority.pem"
else rm -f "$dir/authority.pem"
fi
fetch() { curl -fsSL ${ca:+--cacert "$dir/authority.pem"} "$@"; }
for file in masthead-agent start; do
  fetch "$server/agent/$file.mjs" -o "$dir/new-$file.mjs" || fail "The agent cannot be had from $server"
done

# What the agent runs on: the Node.js that the server has for this processor, else one that is on the device.
node=
kind=
why="$server has none for this processor ($(uname -m))"
case $(uname -m) in x86_64 | amd64) kind=linux-x64 ;; aarch64 | arm64) kind=linux-arm64 ;; esac
offered=
[ -z "$kind" ] || offered=$(fetch "$server/agent/node/SHASUMS256.txt" 2>/dev/null | sed -n "s/^\([0-9a-f]\{64\}\)  \(node-v[0-9.]*-$kind\)\.tar\.gz\$/\1 \2/p")
# Brings it to $dir/node. Where it does not come, $why says so: one that is on the device will do as well.
bring_node() {
  has sha256sum || { why="that of $server is checked by sha256sum, which is missing here"; return 0; }
  say "Fetching Node.js $number from $server"
  fetch "$server/agent/node/$name.tar.gz" -o "$dir/new-node.tar.gz" || { why="that of $server cannot be fetched"; return 0; }
  sum=$(sha256sum "$dir/new-node.tar.gz")
  if [ "${sum%% *}" != "${offered%% *}" ]; then
    rm -f "$dir/new-node.tar.gz"
    fail "What came from $server is not the Node.js that it names: its SHA-256 is ${sum%% *}, not ${offered%% *}. Run this again"
  fi
  # With -o it is root's: as whoever packed it has it (1000 at nodejs.org), a user of this device could replace what root runs.
  tar -xzof "$dir/new-node.tar.gz" -C "$dir" "$name/bin/node" || { why="that of $server cannot be unpacked into $dir: see how much room is there"; return 0; }
  # A program for another C library than that of this system does not run.
  "$dir/$name/bin/node" --version >/dev/null 2>&1 || { why="that of $server does not run here"; return 0; }
  mv "$dir/$name/bin/node" "$dir/node"
  why=
}
if [ -n "$offered" ]; then
  name=${offered#* }
  number=${name#node-}
  number=${number%"-$kind"}
  if [ "$("$dir/node" --version 2>/dev/null)" != "$number" ]; then
    bring_node
    rm -rf "$dir/new-node.tar.gz" "${dir:?}/$name"
    [ -z "$why" ] || say "Of Node.js, $why. So one of this device is looked for"
  fi
fi
# That which was fetched now, or by this script before.
if "$dir/node" --version >/dev/null 2>&1; then node=$dir/node
else
  advice="Install Node.js 22 or later on this device, or have whoever runs $server put one for it there (docs/operations/devices.md, \"Node.js for devices\"), and run this again"
  node=$(command -v node) || fail "The agent runs on Node.js, and there is none: $why, nor is one here. $advice"
  [ "$("$node" -p 'Number(process.versions.node.split(".")[0])')" -ge 22 ] || fail "The agent needs Node.js 22 or later; here is $("$node" --version). $advice"
fi

# curl trusts whom this system trusts, Node.js those that came with it. Where curl alone trusts the server, the agent is given the store of the system.
if [ -z "$trust" ] && ! "$node" -e '
  const url = process.argv[1]
  const failed = ({ code }) => process.exit(/SELF_SIGNED|UNABLE_TO/.test(code) ? 1 : 0)
  if (url.startsWith("https:")) require("node:https").get(url, { agent: false }, () => process.exit(0)).on("error", failed)
' "$server/agent/start.mjs"; then
  for store in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
    [ -r "$store" ] || continue
    trust="NODE_EXTRA_CA_CERTS=$store"
    break
  done
fi
# Its path may have a space. Quotes that stand in a here-document within ${...} are lost, those of a variable are not.
quoted=
[ -z "$trust" ] || quoted="\"$trust\""
version=$("$node" "$dir/new-masthead-agent.mjs" version) || fail "What the server sent is not the agent"
case $version in *[!0-9.]* | '') fail "What the server sent is not the agent" ;; esac
mkdir -p "$dir/versions/$version"
mv "$dir/new-masthead-agent.mjs" "$dir/versions/$version/masthead-agent.mjs"
mv "$dir/new-start.mjs" "$dir/start.mjs"
rm -f "$dir/masthead-agent.mjs"
printf '{"current":"%s"}' "$version" >"$dir/standing.json.new"
mv "$dir/standing.json.new" "$dir/standing.json"

# What a terminal needs is a program for this processor: the server has those that its build could bring, npm has them all.
kind=$("$node" -p 'process.platform + "-" + process.arch')
if fetch "$server/agent/terminal-$kind.tgz" -o "$dir/terminal.tgz" 2>/dev/null && tar -xzof "$dir/terminal.tgz" -C "$dir" 2>/dev/null; then :
elif has npm && npm install --prefix "$dir" --no-save --silent @lydell/node-pty@1.1.0 >/dev/null 2>&1; then :
else say "No terminal can be opened on this device: there is none for $kind at $server, nor by npm. Everything else works"
fi
rm -f "$dir/terminal.tgz"

mkdir -p "$(dirname "$command")"
cat >"$command" <<END
#!/bin/sh
exec env $quoted "$node" "$dir/start.mjs" --dir "$state" "\$@"
END
chmod 0755 "$command"

"$command" enrol --server "$server" --code "$code"

if ! has systemctl; then
  say "There is no systemd here, which would start the agent. Have what starts programs on this device run: $command run"
  say "It must start it again whenever it ends: that is how the agent updates itself"
  exit 0
fi

mkdir -p "$units"
cat >"$unit" <<END
[Unit]
Description=Masthead agent
Wants=network-online.target
After=network-online.target docker.service podman.socket
StartLimitIntervalSec=0

[Service]
${quoted:+Environment=$quoted}
ExecStart="$node" --lite-mode --max-old-space-size=40 --max-semi-space-size=1 "$dir/start.mjs" run --dir "$state"
Restart=always
RestartSec=5
StateDirectory=masthead-agent
StateDirectoryMode=0700

[Install]
WantedBy=multi-user.target
END

systemctl daemon-reload
systemctl enable masthead-agent
systemctl restart masthead-agent
say "The agent runs. Its log: journalctl -u masthead-agent"
