import * as z from 'zod/mini'
import { named, TeamName } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'

const zones = () => new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])

export const updateAccount = operation({
  name: 'account.updateAccount',
  method: 'PATCH',
  path: '/account',
  summary: 'Change the team name or the time zone',
  access: 'profile.edit',
  body: z.object({
    team_name: z.optional(TeamName),
    timezone: z.optional(
      z.string().check(
        z.maxLength(60),
        z.refine((zone) => zones().has(zone), 'Choose a time zone, like Europe/Istanbul')
      )
    ),
  }),
})

/** Of the person, also while they act on another account. Null, or nothing that can be seen, takes the name away. */
export const updatePerson = operation({
  name: 'account.updatePerson',
  method: 'PATCH',
  path: '/account/person',
  summary: 'Change the name of the person signed in',
  access: 'self',
  body: z.object({
    name: z.pipe(
      z.nullable(named('', 0)),
      z.transform((name) => name || null)
    ),
  }),
  reply: z.object({ name: z.nullable(z.string()) }),
})
