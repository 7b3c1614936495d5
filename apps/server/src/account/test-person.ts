import { Secret, TOTP } from 'otpauth'
import { addPasskey, confirmAuthenticator, startAuthenticator, startPasskey } from '@masthead/contract/account/security-operations'
import { login, register } from '@masthead/contract/auth/sign-in-operations'
import type { Answer, House, Person } from '@masthead/testkit/house'
import { hashPassword } from '../auth/index.ts'
import { newTestPasskey } from '../factors/test-passkey.ts'

export const password = 'correct horse battery'
const passwordHash = hashPassword(password)

export type TestPerson = Person & { person_id: string }

/** Somebody with a password, signed in. */
export async function newPerson(house: House): Promise<TestPerson> {
  const owner = await house.newOwner('person')
  const { id } = await house.db
    .updateTable('person')
    .set({ password_hash: await passwordHash })
    .where('email', '=', owner.email)
    .returning('id')
    .executeTakeFirstOrThrow()
  return Object.assign(owner, { person_id: id })
}

/** The cookies an answer sets, as a browser would send them back. */
export const cookiesOf = ({ headers }: Answer<unknown>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((text) => String(text).split(';')[0]!)
    .filter((pair) => !pair.endsWith('='))
    .join('; ')

/** The person with the cookies that an answer gave them. */
export const withCookies = (house: House, person: TestPerson, answer: Answer<unknown>): TestPerson => {
  const { email, account_id, person_id } = person
  return Object.assign(house.personWith(email, account_id, cookiesOf(answer)), { person_id })
}

export const signIn = (house: House, email: string, given = password, headers: Record<string, string> = {}) =>
  house.anyone.call(login, { body: { email, password: given } }, headers)

export const registerPerson = (house: House, email: string, headers: Record<string, string> = {}, given = password) =>
  house.anyone.call(register, { body: { email, password: given, team_name: 'Team' } }, headers)

/** The code an app shows, so many steps of 30 s from now. */
export const codeOf = (house: House, secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: house.clock.now().getTime() + steps * 30_000 })

/** Switches two-factor authentication on. The code is of the step before, so that the present one can still be used. */
export async function switchOn(house: House, person: TestPerson) {
  const { secret } = (await person.call(startAuthenticator, { body: { password } })).body
  const answer = await person.call(confirmAuthenticator, { body: { code: codeOf(house, secret, -1) } })
  return { secret, recovery_codes: answer.body.recovery_codes, person: withCookies(house, person, answer) }
}

/** Adds a passkey to somebody. */
export async function newPasskey(person: TestPerson, name = 'Laptop') {
  const key = newTestPasskey()
  const { challenge } = (await person.call(startPasskey, { body: { password } })).body
  const { body } = await person.call(addPasskey, { body: { name, passkey: key.register(challenge as string) } })
  return { key, id: body.id }
}

/** The mails somebody got, oldest first. */
export const mailTo = (house: House, email: string) => house.mails(email)

/** The token in the newest mail's link. */
export async function tokenIn(house: House, email: string): Promise<string> {
  const mails = await mailTo(house, email)
  return mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1]).findLast((token) => token !== undefined)!
}
