import * as z from 'zod/mini'
import { parseIccid } from '../assets/iccid.ts'

const digits = (form: RegExp, words: string) => z.string({ error: words }).check(z.regex(form, words))
const iccidWords = 'An ICCID has 18 to 20 digits that begin with 89'
const Iccid = z.pipe(
  z.string({ error: iccidWords }).check(z.refine((text) => parseIccid(text) !== null, iccidWords)),
  z.transform((text: string) => parseIccid(text)!)
)

const bytesWords = 'Whole bytes, from 0'
const Bytes = z.pipe(
  z.pipe(
    z.union([z.number(), z.string()], { error: bytesWords }),
    z.transform((value) => (value === '' || /[^\d]/.test(String(value)) ? -1 : Number(value)))
  ),
  z.number().check(z.refine((value) => Number.isSafeInteger(value) && value >= 0, bytesWords))
)

const timeWords = 'A time like 2026-11-24T10:15:00Z; without a zone it is UTC'
const timeForm = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?$/
/** Milliseconds since 1970; null for what is no time. */
function readTime(text: string): number | null {
  const [, day, time, zone = 'Z'] = timeForm.exec(text) ?? []
  const at = day ? Date.parse(`${day}T${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`) : NaN
  return at >= Date.UTC(2010, 0) && at < Date.UTC(3000, 0) ? at : null
}
const At = z.pipe(
  z.string({ error: timeWords }).check(z.refine((text) => readTime(text) !== null, timeWords)),
  z.transform((text: string) => readTime(text)!)
)

const networkWords = 'A network is its MCC and MNC, like 262-01'
const MccMnc = z.pipe(
  digits(/^\d{3}-?\d{2,3}$/, networkWords),
  z.transform((text: string) => `${text.slice(0, 3)}-${text.slice(3).replace('-', '')}`)
)
const printable = (most: number) => z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Use one line of text'), z.maxLength(most))

const idWords = 'Each has an id of 1 to 128 characters, its own for ever'
/** Of which SIM something is, and by what name the feed knows it. The first of IMSI, ICCID and MSISDN that is there says the SIM. */
const About = {
  id: z.string({ error: idWords }).check(z.regex(/^[\x21-\x7e]{1,128}$/, idWords)),
  imsi: z.optional(digits(/^\d{14,15}$/, 'An IMSI has 14 or 15 digits')),
  iccid: z.optional(Iccid),
  msisdn: z.optional(
    z.pipe(
      digits(/^\+?\d{5,15}$/, 'An MSISDN has 5 to 15 digits'),
      z.transform((text: string) => text.replace('+', ''))
    )
  ),
  imei: z.optional(digits(/^\d{14,16}$/, 'An IMEI has 14 to 16 digits')),
  mccmnc: z.optional(MccMnc),
  rat: z.optional(printable(20)),
}
const saysWhose = ({ imsi, iccid, msisdn }: { imsi?: unknown; iccid?: unknown; msisdn?: unknown }) => Boolean(imsi ?? iccid ?? msisdn)
const whose = { error: 'One of imsi, iccid and msisdn is needed' }

/** Bytes that one SIM used from one moment to another: a delta, and no counter. Times are milliseconds since 1970. */
export const FeedRecord = z
  .object({
    ...About,
    started_at: z.optional(At),
    ended_at: At,
    bytes_up: Bytes,
    bytes_down: Bytes,
    apn: z.optional(printable(100)),
  })
  .check(
    z.refine(saysWhose, whose),
    z.refine(({ started_at, ended_at }) => (started_at ?? 0) <= ended_at, { error: 'It ends before it starts', path: ['ended_at'] })
  )
export type FeedRecord = z.output<typeof FeedRecord>

/** What happened to a SIM on its way to the network, as a home network reports it. */
export const FeedEvent = z
  .object({
    ...About,
    kind: z.enum(['accepted', 'rejected', 'detached', 'imei_changed'], { error: 'One of accepted, rejected, detached and imei_changed' }),
    at: At,
    /** Why it was rejected, or left. */
    reason: z.optional(printable(200)),
    /** Of imei_changed: the one before. */
    imei_before: z.optional(digits(/^\d{14,16}$/, 'An IMEI has 14 to 16 digits')),
  })
  .check(
    z.refine(saysWhose, whose),
    z.refine(({ kind, imei }) => kind !== 'imei_changed' || imei !== undefined, { error: 'Say the new IMEI', path: ['imei'] })
  )
export type FeedEvent = z.output<typeof FeedEvent>

type Row = Readonly<Record<string, unknown>>
/** A row of a feed as it was sent, or in words what is wrong with it. A field that it should not have is wrong, too; an empty one is not there. */
export function readRow<Schema extends typeof FeedRecord | typeof FeedEvent>(
  schema: Schema,
  row: Row
): { ok: z.output<Schema> } | { wrong: string } {
  const strange = Object.keys(row).filter((name) => !(name in schema.shape))
  if (strange.length > 0) return { wrong: `There is no field ${strange.map((name) => `"${name.slice(0, 40)}"`).join(', ')}` }
  const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '' && value !== null))
  const { success, data, error } = z.safeParse(schema, given)
  if (success) return { ok: data as z.output<Schema> }
  return {
    wrong: [...new Set(error.issues.map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message)))].join('. '),
  }
}
