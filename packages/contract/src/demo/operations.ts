import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'

/** A mail in the outbox, its links filled in. */
export const DemoMail = z.object({ id: z.string(), to: z.string(), subject: z.string(), text: z.string(), created_at: Time })
export type DemoMail = z.output<typeof DemoMail>

/** So many of the newest are listed. */
export const mostMail = 50

/** The newest mail of the outbox (`mostMail` at most). `shown` is false, and there is none, outside the demo and where mail is really sent. */
export const listMail = operation({
  name: 'demo.listMail',
  method: 'GET',
  path: '/demo/mail',
  summary: 'What the demo would have mailed',
  access: 'signed_in',
  reply: z.object({ shown: z.boolean(), items: z.array(DemoMail) }),
})
