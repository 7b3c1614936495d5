import { run, vitest } from '../../tools/run.ts'

// 200,000 malformed MQTT inputs: no broker ends, and a device that speaks well goes on. A failure prints its seed.

const inputs = 200_000
const env = { MQTT_INPUTS: String(inputs), SEED: String(Date.now() % 1_000_000) }
const { ok, seconds } = await run({ ...vitest('apps/server/src/devices/malformed.test.ts'), env }, true)
console.log(JSON.stringify({ figure: 'mqtt-inputs', inputs, seconds: Math.round(seconds), ok }))
process.exitCode = ok ? 0 : 1
