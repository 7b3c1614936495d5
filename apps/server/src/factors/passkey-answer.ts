import { passkeyRefused } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import * as z from 'zod/mini'

const text = z.string().check(z.maxLength(20_000))
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** What PublicKeyCredential.toJSON() gives; what we do not read falls away. */
const Credential = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
})
const Assertion = z.extend(Credential, {
  response: z.object({ clientDataJSON: text, authenticatorData: text, signature: text, userHandle: z.optional(z.nullable(text)) }),
})
const Registration = z.extend(Credential, {
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z._default(z.array(text).check(z.maxLength(10)), []),
  }),
})

/** Reads what the browser signed with a passkey. Throws passkey_refused. */
export const readAssertion = (json: string) => {
  const { response, ...rest } = read(Assertion, json)
  const { userHandle, ...signed } = response
  return { ...rest, response: { ...signed, ...(userHandle && { userHandle }) }, challenge: challengeOf(response.clientDataJSON) }
}

/** Reads a new passkey. Throws passkey_refused. */
export const readRegistration = (json: string) => {
  const { response, ...rest } = read(Registration, json)
  const known = transports.filter((name) => response.transports.includes(name))
  return { ...rest, response: { ...response, transports: known }, challenge: challengeOf(response.clientDataJSON) }
}

function read<Schema extends z.ZodMiniType>(schema: Schema, json: string): z.output<Schema> {
  const { success, data } = schema.safeParse(parse(json))
  if (!success) throw new Problem(passkeyRefused)
  return data
}

const Client = z.object({ challenge: text })
const challengeOf = (clientDataJSON: string) => read(Client, Buffer.from(clientDataJSON, 'base64url').toString('utf8')).challenge

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new Problem(passkeyRefused)
  }
}
