import { forgetGivenUp, listGivenUp, retryGivenUp } from '../kernel/jobs/given-up.ts'
import type { App, Tx } from '../kernel/app.ts'
import { Incomplete, table, UsageError } from './command-words.ts'

export const jobHelp = `  jobs list                         The jobs that failed all their tries, and why
  jobs retry NUMBER…                Try these again, now and as often as a new one
      [--all]                       every one that was given up
  jobs forget NUMBER…               Remove these: what they were to do is never done
      [--all]                       every one that was given up`

type Options = { all?: boolean | undefined }
type Command = {
  words: [least: number, most: number]
  takes?: (keyof Options)[]
  run: (app: App, given: { words: string[]; options: Options }) => Promise<string>
}

const mostAtOnce = 1000

/** Which ones are meant: null for all of them. */
function chosen(words: string[], { all = false }: Options): string[] | null {
  if (words.length > 0 === all) throw new UsageError('Say which by their numbers, or --all')
  const wrong = words.find((word) => !/^\d{1,18}$/.test(word))
  if (wrong !== undefined) throw new UsageError(`${wrong} is no number of a job: jobs list has them`)
  return all ? null : [...new Set(words)]
}

const act = (does: (tx: Tx, ids: string[] | null) => Promise<number>, done: string): Command => ({
  words: [0, mostAtOnce],
  takes: ['all'],
  run: async ({ db }, { words, options }) => {
    const ids = chosen(words, options)
    const count = await db.transaction().execute((tx) => does(tx, ids))
    const said = `${count} ${count === 1 ? 'job is' : 'jobs are'} ${done}.`
    if (ids && count < ids.length) throw new Incomplete(`${said} ${ids.length - count} of these numbers are of no job that was given up.`)
    return said
  },
})

/** What the operator of an installation does about jobs that were given up. */
export const jobCommands: Record<string, Command> = {
  'jobs list': {
    words: [0, 0],
    run: async ({ db }) =>
      table(
        ['NUMBER', 'TASK', 'TRIES', 'FAILED', 'ABOUT', 'WHY'],
        (await listGivenUp(db)).map(({ id, task, tries, at, about, words }) => [id, task, String(tries), at.toISOString(), about, words])
      ),
  },
  'jobs retry': act(retryGivenUp, 'tried again'),
  'jobs forget': act(forgetGivenUp, 'removed'),
}
