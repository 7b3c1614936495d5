// Simulated devices as a process of their own: `node main.ts PLAN.json`. Ends on SIGTERM, SIGINT, or when its parent is gone.
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { seededRandom, seedFor } from '../random.ts'
import { DevicePlan } from './device-plan.ts'
import { SimulatedDevice } from './simulated-device.ts'

const read = DevicePlan.safeParse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
if (!read.success) {
  console.error(`${process.argv[2]} is no plan of devices:\n${z.prettifyError(read.error)}`)
  process.exit(1)
}
const plan = read.data
const devices = plan.devices.map((device) => new SimulatedDevice(plan, device, seededRandom(seedFor(plan.seed, device.username))))
for (const device of devices) device.start()
const stop = () => void Promise.all(devices.map((device) => device.stop())).then(() => process.exit(0))
for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, stop)
process.send?.({ ready: true }, undefined, undefined, () => {})
