import * as z from 'zod/mini'
import { EndReason, Size } from './session.ts'

// What goes through the WebSockets of a terminal beside the bytes themselves, which are binary frames: JSON in text frames.

const whole = z.int().check(z.nonnegative())
const line = z.string().check(z.maxLength(300))

/** So many bytes may be on their way and not taken yet, in each direction. */
export const onTheWay = 256 * 1024
/** The taker says so after so many. */
export const takenEach = 32 * 1024

/** `taken`: how many bytes of the output it has shown, from the beginning on. */
export const FromBrowser = z.discriminatedUnion('t', [
  z.object({ t: z.literal('size'), ...Size.shape }),
  z.object({ t: z.literal('taken'), at: whole }),
  z.object({ t: z.literal('end') }),
  z.object({ t: z.literal('ask') }),
  z.object({ t: z.literal('give'), to: line }),
  /** Answered at once: how long a key takes to the server. */
  z.object({ t: z.literal('ping'), n: whole }),
])

const Person = z.object({ id: line, email: line, types: z.boolean(), asks: z.boolean() })
export type TerminalPerson = z.output<typeof Person>

export const ToBrowser = z.discriminatedUnion('t', [
  /** The next byte has this place in the output. `anew`: what was shown before is not continued. */
  z.object({ t: z.literal('from'), at: whole, anew: z.boolean() }),
  z.object({ t: z.literal('step'), step: z.enum(['device', 'shell']) }),
  z.object({
    t: z.literal('who'),
    you: line,
    people: z.array(Person),
    recorded: z.boolean(),
    user: z.nullable(line),
    /** ms from now. */
    ends_in: z.number(),
    idle_in: z.number(),
  }),
  z.object({ t: z.literal('size'), ...Size.shape }),
  z.object({ t: z.literal('device'), here: z.boolean() }),
  z.object({ t: z.literal('pong'), n: whole }),
  /** Of what was typed, so many more bytes are not on their way any more. */
  z.object({ t: z.literal('took'), n: whole }),
  z.object({ t: z.literal('ended'), reason: EndReason, by: z.nullable(line), words: z.nullable(line) }),
])
export type ToBrowser = z.output<typeof ToBrowser>

export const FromDevice = z.discriminatedUnion('t', [
  z.object({ t: z.literal('started'), user: line }),
  z.object({ t: z.literal('failed'), words: line }),
  z.object({ t: z.literal('exit'), code: z.int() }),
  /** The shell has taken so many more bytes. Said with 0 first: an agent from before says nothing of it. */
  z.object({ t: z.literal('took'), n: whole }),
])
export type FromDevice = z.output<typeof FromDevice>

export const ToDevice = z.discriminatedUnion('t', [
  /** Send on from here: the first message that a device receives. */
  z.object({ t: z.literal('from'), at: whole }),
  z.object({ t: z.literal('taken'), at: whole }),
  z.object({ t: z.literal('size'), ...Size.shape }),
  /** Come for a file, at an address of its own (file-wire.ts). An agent from before does not. */
  z.object({ t: z.literal('file'), id: line }),
  z.object({ t: z.literal('end') }),
])
export type ToDevice = z.output<typeof ToDevice>

/** What a text frame says, or undefined. */
export function readFrame<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    const read = schema.safeParse(JSON.parse(text))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}
