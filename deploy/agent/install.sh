#!/bin/sh
# Installs the agent on a device and sets it up by a claim code, or with --uninstall takes it away again:
#   curl -fsSL https://console.example.com/agent/install.sh | sudo sh -s -- https://console.example.com CODE
set -eu

dir=/opt/masthead-agent
unit=/etc/systemd/system/masthead-agent.service

say() { echo "$1"; }
fail() { echo "$1" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "Run this as root: the agent reads the device and speaks with its container engine"
command -v systemctl >/dev/null || fail "The agent is run by systemd, which is not here"

if [ "${1:-}" = --uninstall ]; then
  systemctl disable --now masthead-agent 2>/dev/null || true
  rm -rf "$dir" "$unit" /usr/local/bin/masthead-agent /var/lib/masthead-agent
  systemctl daemon-reload
  say "The agent is gone. Containers that it started are still there: docker ps --filter label=masthead.container"
  exit 0
fi

server=${1:-}
code=${2:-}
[ -n "$server" ] && [ -n "$code" ] || fail "Say where the server is, and the claim code"
node=$(command -v node) || fail "Install Node.js 22 or later first: the agent runs on it"
[ "$("$node" -p 'Number(process.versions.node.split(".")[0])')" -ge 22 ] || fail "The agent needs Node.js 22 or later; here is $("$node" --version)"
[ -S /var/run/docker.sock ] || [ -S /run/podman/podman.sock ] ||
  say "Neither Docker nor podman answers here yet: the agent runs, and containers come once one of them does"

install -d -m 0755 "$dir"
curl -fsSL "$server/agent/masthead-agent.mjs" -o "$dir/masthead-agent.mjs.new"
"$node" "$dir/masthead-agent.mjs.new" version >/dev/null || fail "What the server sent is not the agent"
mv "$dir/masthead-agent.mjs.new" "$dir/masthead-agent.mjs"

# What a terminal needs is a program for this processor: the server has that of its own, npm has them all.
kind=$("$node" -p 'process.platform + "-" + process.arch')
if curl -fsSL "$server/agent/terminal-$kind.tgz" -o "$dir/terminal.tgz" 2>/dev/null && tar -xzf "$dir/terminal.tgz" -C "$dir" 2>/dev/null; then :
elif command -v npm >/dev/null && npm install --prefix "$dir" --no-save --silent @lydell/node-pty@1.1.0 >/dev/null 2>&1; then :
else say "No terminal can be opened on this device: there is none for $kind at $server, nor by npm. Everything else works"
fi
rm -f "$dir/terminal.tgz"

cat >/usr/local/bin/masthead-agent <<END
#!/bin/sh
exec "$node" "$dir/masthead-agent.mjs" "\$@"
END
chmod 0755 /usr/local/bin/masthead-agent

cat >"$unit" <<END
[Unit]
Description=Masthead agent
Wants=network-online.target
After=network-online.target docker.service podman.socket

[Service]
ExecStart="$node" --lite-mode --max-old-space-size=40 --max-semi-space-size=1 "$dir/masthead-agent.mjs" run
Restart=always
RestartSec=5
StateDirectory=masthead-agent
StateDirectoryMode=0700

[Install]
WantedBy=multi-user.target
END

masthead-agent enrol --server "$server" --code "$code"
systemctl daemon-reload
systemctl enable masthead-agent
systemctl restart masthead-agent
say "The agent runs. Its log: journalctl -u masthead-agent"
