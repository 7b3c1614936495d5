import { isIP } from 'node:net'
import { sql, type Expression, type SqlBool } from 'kysely'
import { iccidForms, luhnDigit, parseIccid } from '@masthead/contract/assets/iccid'
import { escapeLike } from '../../kernel/http/like.ts'
import type { Viewer } from '../viewer.ts'

type Condition = Expression<SqlBool>

/** What a person typed is in the name, the serial number or a number of the SIM, or is the IP address it has now; of several words each, in any order. */
export function matchesText(viewer: Viewer, text: string): Condition {
  const words = text.split(/\s+/)
  const whole = matchesWord(viewer, text)
  // A number may be written with blanks.
  if (words.length === 1 || words.every((word) => /^[\d+().-]+$/.test(word))) return whole
  // Beside a longer word, which an index finds, a short one may stand anywhere in what was given by people; digits of a number say nothing.
  const isFound = words.some((word) => word.length >= 3)
  const isNamed = (word: string) =>
    sql`(lower(asset.name) like lower(${contains(word)}) or lower(asset.serial) like lower(${contains(word)}))`
  const each = words.map((word) => (isFound && word.length < 3 ? isNamed(word) : matchesWord(viewer, word)))
  return sql`(${whole} or (${sql.join(each, sql` and `)}))`
}

/** The same of a text as it stands. */
export function matchesWord({ account_id }: Viewer, text: string): Condition {
  // Trigrams know nothing of two letters.
  if (text.length < 3) return sql`(${startsWith(sql`lower(asset.name)`, text)} or ${startsWith(sql`lower(asset.serial)`, text)})`
  const found = patternsOf(text).map(isIn)
  // Node takes one with a zone (`fe80::1%eth0`), the database does not.
  if (isIP(text) && !text.includes('%')) {
    found.push(sql`asset.id = any(array(select s.asset_id from data_session s
      where s.account_id = ${account_id} and s.ip = ${text}::inet and s.ended_at is null))`)
  }
  return sql`(${sql.join(found, sql` or `)})`
}

/** A range that an index of any collation can walk, then the very beginning. */
const startsWith = (column: Condition | Expression<string>, text: string): Condition =>
  sql`(${column} >= lower(${text}) and ${column} <= lower(${text}) || chr(1114111) and ${column} like lower(${`${escapeLike(text)}%`}))`

const isIn = (pattern: string): Condition => sql`asset.search like lower(${pattern})`
const contains = (text: string) => `%${escapeLike(text)}%`

/** An IMEI with its check digit, and an IMEISV with its software version in that place, are of the same device: the other forms of either. */
function imeiForms(digits: string): string[] {
  const device = digits.slice(0, 14)
  if (/^\d{16}$/.test(digits)) return [device, device + luhnDigit(device)]
  return /^\d{15}$/.test(digits) && device + luhnDigit(device) === digits ? [device, `${device}__`] : []
}

/** As typed; a number written with blanks, dashes or + also as bare digits; an ICCID with its check digit also as one kept without; an IMEI in each form. */
function patternsOf(text: string): string[] {
  const digits = text.replaceAll(/[\s+().-]/g, '')
  const iccid = parseIccid(text)
  // As a word of its own: numbers that only begin alike are others.
  const others = [...(iccid ? iccidForms(iccid).filter((form) => form.length < iccid.length) : []), ...imeiForms(digits)]
  return [
    ...new Set([
      contains(text),
      ...(/^\d{3,}$/.test(digits) && !isIP(text) ? [contains(digits)] : []),
      ...others.flatMap((form) => [`% ${form} %`, `% ${form}`]),
    ]),
  ]
}
