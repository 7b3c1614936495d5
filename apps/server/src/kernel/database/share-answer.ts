import { Problem, unavailable } from '@masthead/contract/kernel/problem'
import { limitConcurrency } from '../http/concurrency.ts'

const leastFor = 5000 // ms
const timesAsLong = 20
/** Kept at once, of all accounts: whoever asks something else each time fills no memory. */
export const mostAnswers = 200

/** Answers with what `answer` finds, or found lately for the same question of the same account: begun `longest` ms ago at most. */
export type ShareAnswer = <Answer>(
  account_id: string,
  question: readonly unknown[],
  answer: () => Promise<Answer>,
  longest?: number
) => Promise<Answer>

const refusal = () => new Problem(unavailable, 'This account is being counted for others, try again in a moment', { retryAfter: 10 })

/**
 * To read through a large account takes a while, and open consoles ask again at every change. So an answer serves everybody who asks the
 * same of it for 5 s, or for twenty times as long as it took if that is longer and may be. `question` has all that the answer depends on: only those
 * may ask who see the whole account. One of an account is made after the other, so that whoever asks much of a large one keeps nobody else
 * from the database. For one database: what is kept here is of its accounts.
 */
export function sharingAnswers(): ShareAnswer {
  const answers = new Map<string, { until: number; answer: Promise<unknown> }>()
  const lines = new Map<string, ReturnType<typeof limitConcurrency>>()
  const lineOf = (account_id: string) => {
    const line = lines.get(account_id) ?? limitConcurrency({ concurrency: 1, maxQueued: 20, refusal })
    lines.set(account_id, line)
    return line
  }
  return <Answer>(account_id: string, question: readonly unknown[], answer: () => Promise<Answer>, longest = Infinity) => {
    const key = JSON.stringify([account_id, ...question])
    const known = answers.get(key)
    const now = performance.now()
    if (known && known.until > now) return known.answer as Promise<Answer>
    for (const [each, { until }] of answers) if (until <= now) answers.delete(each)
    const made = lineOf(account_id)(async () => {
      const begun = performance.now()
      const found = await answer()
      const ended = performance.now()
      shared.until = Math.min(begun + longest, ended + Math.max(leastFor, timesAsLong * (ended - begun)))
      return found
    })
    const shared = { until: Infinity, answer: made }
    answers.set(key, shared)
    if (answers.size > mostAnswers) answers.delete(answers.keys().next().value!)
    made.catch(() => answers.get(key) === shared && answers.delete(key))
    return made
  }
}
