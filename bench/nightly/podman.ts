import { run, vitest } from '../../tools/run.ts'

// The agent at a real container engine: podman by Docker's API, with images made here. It needs root, and podman, runc, docker-registry and
// busybox-static of Debian.

const { ok, seconds } = await run({ ...vitest('apps/agent/src/podman.test.ts'), env: { MASTHEAD_PODMAN: 'needed' } }, true)
console.log(JSON.stringify({ figure: 'podman', seconds: Math.round(seconds), ok }))
process.exitCode = ok ? 0 : 1
