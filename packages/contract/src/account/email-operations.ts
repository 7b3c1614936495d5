import * as z from 'zod/mini'
import { emailProvenAlready, mailOff } from '../auth/problems.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'

/** The link shows that whoever opens it reads the mail of the address; it is good for a day, once. */
export const mailEmailProof = operation({
  name: 'account.mailEmailProof',
  method: 'POST',
  path: '/account/email_proof',
  summary: 'Mail a link that confirms the e-mail address of the person signed in',
  access: 'self',
  reply: z.object({ email: z.string(), expires_at: Time }),
  problems: [emailProvenAlready, mailOff, tooManyRequests],
})
