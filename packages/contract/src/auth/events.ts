import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

export const accountRegistered = event({
  name: 'auth.account_registered',
  detail: z.object({ email: z.string(), team_name: z.string() }),
  sentence: 'Opened the account {team_name}',
})
