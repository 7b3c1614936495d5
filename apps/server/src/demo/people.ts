import { newId } from '@masthead/contract/kernel/id'
import { staffPermissions, type Permission } from '@masthead/contract/kernel/permission'
import { demoPassword, hashPassword } from '../auth/index.ts'
import type { Tx } from '../kernel/app.ts'

/** What each of the demo's people is called, and the account that they own. */
const people = {
  'owner@demo.test': { name: 'Ada Lindqvist', team_name: 'Acme Telemetry' },
  'operator@demo.test': { name: 'Chidi Okafor', team_name: 'Okafor Field Service' },
  'staff@demo.test': { name: 'Mara Svensson', team_name: 'Masthead Staff' },
  'invited@demo.test': { name: 'Jonas Berg', team_name: 'North Cargo' },
  'empty@demo.test': { name: null, team_name: 'Blank Slate' },
}
export type DemoEmail = keyof typeof people
export const ownerEmail: DemoEmail = 'owner@demo.test'
export const staffEmail: DemoEmail = 'staff@demo.test'

/** What the operator may do on the owner's account. */
export const operatorPermissions: Permission[] = [
  'overview.view',
  'assets.view',
  'assets.edit',
  'usage.view',
  'datapools.view',
  'network_groups.view',
  'notifications.view',
  'notifications.edit',
  'faq',
  'community',
  'contact',
]

/** Writes the people and their accounts; returns both ids by e-mail. */
export async function writePeople(tx: Tx, now: Date): Promise<Record<DemoEmail, { account_id: string; person_id: string }>> {
  const password_hash = await hashPassword(demoPassword)
  const created_at = new Date(now.getTime() - 320 * 86_400_000)
  const made = Object.entries(people).map(([email, of]) => ({
    email,
    ...of,
    account_id: newId('account', created_at.getTime()),
    person_id: newId('person', created_at.getTime()),
  }))
  await tx
    .insertInto('account')
    .values(
      made.map(({ account_id, team_name }) => ({
        id: account_id,
        team_name,
        currency: 'USD',
        suspended_at: null,
        suspended_reason: null,
        created_at,
      }))
    )
    .execute()
  await tx
    .insertInto('person')
    .values(
      made.map(({ account_id, person_id, email, name }) => ({
        id: person_id,
        account_id,
        email,
        name,
        password_hash,
        permissions: email === 'staff@demo.test' ? Object.keys(staffPermissions) : [],
        email_proven_at: created_at,
        email_proven_by: 'staff' as const,
        created_at,
      }))
    )
    .execute()
  return Object.fromEntries(made.map(({ email, account_id, person_id }) => [email, { account_id, person_id }])) as never
}
