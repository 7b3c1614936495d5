import { passwordProblem } from '@masthead/contract/auth/password'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { isLeaked } from './leaked-passwords.ts'

const leakedWords = 'This password is on lists of leaked passwords. Choose another'

/** The rule of the contract, now that it is known whose password it is, and the list of leaked ones that browsers do not have. Throws invalid_request. */
export async function checkNewPassword(password: string, email: string, field: string): Promise<void> {
  const words = passwordProblem(password, { email }) ?? ((await isLeaked(password)) ? leakedWords : null)
  if (words) throw new Problem(invalidRequest, words, { fields: { [field]: words } })
}
