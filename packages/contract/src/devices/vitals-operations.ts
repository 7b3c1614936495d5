import * as z from 'zod/mini'
import { AskedTime, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { vitalsPeriodWrong } from './problems.ts'

/** What a device measured is kept by the minute for so many days, and by the hour for so many. */
export const vitalsDays = { minutes: 7, hours: 90 } as const
/** Points in one answer. */
export const mostVitalsPoints = 400

const percent = z.nullable(z.number())
/** Means of the time from `at` on, and the highest in it. Null: the device cannot measure it. */
export const VitalsPoint = z.object({
  at: Time,
  /** Minutes of it in which the device measured. */
  samples: z.int(),
  cpu_pct: percent,
  cpu_max_pct: percent,
  memory_pct: percent,
  disk_pct: percent,
  temperature_c: z.nullable(z.number()),
  temperature_max_c: z.nullable(z.number()),
})
export type VitalsPoint = z.output<typeof VitalsPoint>

export const getVitals = operation({
  name: 'devices.getVitals',
  method: 'GET',
  path: '/assets/{asset_id}/device/vitals',
  summary: 'What the device of an asset measured over time, at most 400 points: by minutes for 7 days, by hours for 90',
  access: 'assets.view',
  query: z.object({ from: AskedTime, to: AskedTime }),
  reply: z.object({
    /** Seconds from one point to the next. A point without a measurement is left out. */
    step_s: z.int(),
    items: z.array(VitalsPoint),
  }),
  problems: [notFound, vitalsPeriodWrong],
})
