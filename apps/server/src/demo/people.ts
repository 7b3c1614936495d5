import { newId } from '@masthead/contract/kernel/id'
import { demoPassword, hashPassword } from '../auth/index.ts'
import type { Tx } from '../kernel/app.ts'

/** The account each of the demo's people owns. */
const teamNames = {
  'owner@demo.test': 'Acme Telemetry',
  'operator@demo.test': 'Okafor Field Service',
  'staff@demo.test': 'Masthead Staff',
  'invited@demo.test': 'North Cargo',
  'empty@demo.test': 'Blank Slate',
}
export type DemoEmail = keyof typeof teamNames
export const ownerEmail: DemoEmail = 'owner@demo.test'

const staffPermissions = ['backoffice', 'audit_logs', 'manage_networks', 'manage_datapools']

/** What the operator may do on the owner's account. */
export const operatorPermissions = [
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
  const people = Object.entries(teamNames).map(([email, team_name]) => ({
    email,
    team_name,
    account_id: newId('account', created_at.getTime()),
    person_id: newId('person', created_at.getTime()),
  }))
  await tx
    .insertInto('account')
    .values(
      people.map(({ account_id, team_name }) => ({
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
      people.map(({ account_id, person_id, email }) => ({
        id: person_id,
        account_id,
        email,
        password_hash,
        permissions: email === 'staff@demo.test' ? staffPermissions : [],
        email_proven_at: created_at,
        created_at,
      }))
    )
    .execute()
  return Object.fromEntries(people.map(({ email, account_id, person_id }) => [email, { account_id, person_id }])) as never
}
