import * as z from 'zod/mini'
import { TimeZone } from '../kernel/time-zone.ts'
import { AlertSource, Severity } from './alert.ts'

/** A time of the day: "22:00". */
export const ClockTime = z
  .string({ error: 'Enter a time, like 22:00' })
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Enter a time, like 22:00' }))

/** More than there are of anything to choose. */
const atMost = z.maxLength(20)

/** Which alerts come by which channel. `in_app`: the list and the bell; the others come beside it. */
const channels = {
  in_app: z.array(Severity).check(atMost),
  mail: z.array(Severity).check(atMost),
  webhook: z.array(Severity).check(atMost),
}

/** What a person wants to be notified of, and how. */
export const Preference = z
  .object({
    ...channels,
    /** Sources they do not want to be notified of at all. */
    muted: z.array(AlertSource).check(atMost),
    /** From and to in the time zone; through midnight when `to` is earlier. What comes meanwhile is sent in one mail at the end. Null: never. */
    quiet_from: z.nullable(ClockTime),
    quiet_to: z.nullable(ClockTime),
    /** Mails come as one each day at this time of the time zone, whatever the quiet hours. Null: as alerts happen, bundled when several are due. */
    daily_at: z._default(z.nullable(ClockTime), null),
    /** IANA name. */
    timezone: TimeZone,
    /** Critical alerts come at once, in quiet hours too and before the mail of the day. */
    urgent: z.boolean(),
    /** After a notification of a cause, how long there is no other. */
    cooldown_minutes: z
      .int({ error: 'Enter a whole number of minutes' })
      .check(z.minimum(0, 'At least 0 minutes'), z.maximum(1440, 'At most a day: 1440 minutes')),
  })
  .check(
    z.refine(
      ({ quiet_from, quiet_to }) => (quiet_from === null) === (quiet_to === null) && (quiet_from === null || quiet_from !== quiet_to),
      {
        error: 'Quiet hours need a beginning and another time as their end',
        path: ['quiet_to'],
      }
    )
  )
export type Preference = z.output<typeof Preference>
