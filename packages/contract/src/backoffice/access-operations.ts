import * as z from 'zod/mini'
import { codeWrong, credentialsWrong, passkeyRefused } from '../auth/problems.ts'
import { proofFields } from '../auth/proof.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { actingOnTeam, notStaff, staffFactorMissing } from './problems.ts'
import { Reason } from './reason.ts'

/** Step-up: a signed token for `X-Backoffice-Token` with an `exp` claim in seconds (spec §3). */
export const enterBackoffice = operation({
  name: 'backoffice.enterBackoffice',
  method: 'POST',
  path: '/backoffice/access',
  summary: 'Confirm staff access and get a backoffice token',
  access: 'self',
  body: z.object({
    ...proofFields,
    reason: Reason,
  }),
  reply: z.object({ token: z.string(), expires_at: Time }),
  problems: [notStaff, actingOnTeam, staffFactorMissing, credentialsWrong, codeWrong, passkeyRefused, tooManyRequests],
  encryptsReply: true,
})
