import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import * as z from 'zod/mini'

const Ask = z.object({ deployment_token: z.string().check(z.minLength(1), z.maxLength(200)), iccid: z.string().check(z.maxLength(60)) })
export type Ask = z.output<typeof Ask>

const words = 'Send JSON with deployment_token and iccid, both texts'

/** What a device sends: JSON, whatever its Content-Type says, which is none at all. Fields that a later agent adds are passed over. */
export function readAsk(body: unknown): Ask {
  const result = Ask.safeParse(parse(String(body ?? '')))
  if (!result.success) throw new Problem(invalidRequest, words)
  return { deployment_token: result.data.deployment_token.trim(), iccid: asShown(result.data.iccid) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(invalidRequest, words)
  }
}

/** As it is looked for and listed: a modem may fill a number of 19 digits up with an F, and what is none is shown without what no text can hold. */
const asShown = (iccid: string) =>
  iccid
    .replaceAll(/[\s-]/g, '')
    .replace(/(?<=\d)F+$/i, '')
    .replaceAll(/[^\x21-\x7e]/g, '?')
    .slice(0, 40)
