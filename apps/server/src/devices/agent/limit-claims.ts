import { claimSuspended } from '@masthead/contract/devices/agent/device-problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { giveTryBack, takeTry } from '../../auth/index.ts'
import type { Route } from '../../kernel/http/routes.ts'
import { networkOf } from '../../kernel/network-of.ts'

/** Wrong codes of an address in ten minutes. Many devices may stand behind one: those whose code is right do not count. */
const guesses = 100
const seconds = 600

/** Counts tries of claim codes apart from what they change: one that is refused changes nothing else. */
export const limitClaims = ({ op, answer }: Route): Route => ({
  op,
  answer: async (outside, call) => {
    const { app, request } = outside
    const limit = { key: `claim codes from ${networkOf(request.ip)}`, limit: guesses, seconds }
    await takeTry(app.db, app.clock.now(), limit)
    const answered = await answer(outside, call).catch(async (error: unknown) => {
      if (error instanceof Problem && error.kind === claimSuspended) await giveTryBack(app.db, limit)
      throw error
    })
    await giveTryBack(app.db, limit)
    return answered
  },
})
