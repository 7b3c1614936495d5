import { proofInWords, proveLedger } from '../billing/ledger/index.ts'
import { daysOf, Incomplete } from './command-words.ts'
import type { App } from '../kernel/app.ts'
import { registryCheck, registryCleanUp } from '../registry/index.ts'
import { proveRollUps, provedInWords, rebuildRollUps, rebuiltInWords } from '../usage/index.ts'

export const proofHelp = `  roll-ups rebuild FROM TO          Count the hours, days and months from FROM until before TO (2026-11-01) anew from the records,
                                    where these are all kept
  roll-ups verify FROM TO           Prove that the hours, days and months from FROM until before TO are the sums of the records

  ledger prove                      Prove that the entries of the ledger add up to nothing, that balances and what is left of
                                    credits are their sums, and that every charge is what its records cost by its price list

  registry check                    Read every byte of the registry's images and count its digest anew
  registry clean-up                 Remove now what each hour is removed of the registry, what nothing names, and say what that was`

type Command = { words: [least: number, most: number]; run: (app: App, given: { words: string[] }) => Promise<string> }

/** What the operator of an installation proves of usage, money and images, and cleans up. */
export const proofCommands: Record<string, Command> = {
  'roll-ups rebuild': {
    words: [2, 2],
    run: async (app, { words }) => {
      const [from, to] = daysOf(words)
      return rebuiltInWords((await rebuildRollUps(app, from, to)).since, from, to)
    },
  },
  'roll-ups verify': {
    words: [2, 2],
    run: async (app, { words: given }) => {
      const [from, to] = daysOf(given)
      const { ok, words } = provedInWords(await proveRollUps(app, from, to), from, to)
      if (!ok) throw new Incomplete(words)
      return words
    },
  },
  'registry check': {
    words: [0, 0],
    run: async (app) => {
      const { right, words } = await registryCheck(app)
      if (!right) throw new Incomplete(words)
      return words
    },
  },
  'registry clean-up': { words: [0, 0], run: (app) => registryCleanUp(app) },
  'ledger prove': {
    words: [0, 0],
    run: async (app) => {
      const proof = await proveLedger(app)
      if (proof.differences.length > 0) throw new Incomplete(proofInWords(proof))
      return proofInWords(proof)
    },
  },
}
