import { login, register } from '@masthead/contract/auth/sign-in-operations'
import type { Answer, House } from '@masthead/testkit/house'

export const goodPassword = 'correct horse battery'

/** The cookies an answer sets, as a browser would send them back. */
export const cookiesOf = ({ headers }: Answer<unknown>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((text) => String(text).split(';')[0]!)
    .filter((pair) => !pair.endsWith('='))
    .join('; ')

export const registerPerson = (house: House, email: string, headers: Record<string, string> = {}, password = goodPassword) =>
  house.anyone.call(register, { body: { email, password, team_name: 'Team' } }, headers)

export const signIn = (house: House, email: string, password = goodPassword, headers: Record<string, string> = {}) =>
  house.anyone.call(login, { body: { email, password } }, headers)
