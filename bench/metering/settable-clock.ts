import { readFileSync } from 'node:fs'

// Loaded before each process of a product: its clock is the machine's and as many milliseconds as the file says that BENCH_CLOCK names.

const real = Date.now
let ahead = 0
setInterval(() => (ahead = Number(readFileSync(process.env.BENCH_CLOCK!, 'utf8'))), 20).unref()
Date.now = () => real() + ahead
globalThis.Date = new Proxy(Date, {
  construct: (target, args, by) => Reflect.construct(target, args.length > 0 ? args : [Date.now()], by) as Date,
})
