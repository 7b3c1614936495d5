import { listAssets } from '@masthead/contract/assets/operations'
import { getUserInfo, switchAccount } from '@masthead/contract/auth/operations'
import { newId } from '@masthead/contract/kernel/id'
import * as teams from '@masthead/contract/teams/operations'
import { getOverview } from '@masthead/contract/overview/operations'
import type { House, Person } from '@masthead/testkit/house'
import { seeded } from '@masthead/testkit/seeded'
import { newTestPasskey } from '../factors/test-passkey.ts'
import { addInvitation } from './test-teams.ts'

type Rights = { permissions: string[]; tags: string[] }
/** What should be: who is a member or invited where, and on whose account each session stands. */
type Model = {
  members: Map<string, Rights>
  invited: Map<string, Rights>
  acting: Map<Person, string | null>
  /** The accounts that demand a second factor, which no guest has. */
  demanding: Set<string>
}
type Cast = {
  owners: Person[]
  guests: string[]
  sessions: { person: Person; email: string }[]
  tag: string[]
  assets: Map<string, number[]>
}

const permissionSets = [
  [],
  ['assets.view'],
  ['overview.view'],
  ['assets.view', 'overview.view'],
  ['assets.view', 'profile.edit', 'profile.view'],
]
const place = (owner: Person, email: string) => `${owner.account_id} ${email}`

/**
 * Two owners, two guests, one of them in two browsers, a tag on some assets; everybody is invited. Steps come one by one, or two at once; after each every session
 * looks at what it can see, and must see just what the model allows: after two at once, what one of their two orders allows.
 */
export async function playInterleaving(house: House, seed: number, steps = 12) {
  const { next, one: pick } = seeded(seed)
  const chance = (share: number) => next() < share
  const cast = await openCast(house)
  const start: Model = {
    members: new Map(),
    invited: new Map(),
    acting: new Map(cast.sessions.map(({ person }) => [person, null])),
    demanding: new Set(),
  }
  for (const owner of cast.owners) {
    for (const email of cast.guests) {
      const offered = { permissions: pick(permissionSets), tags: pick([[], [cast.tag[cast.owners.indexOf(owner)]!]]) }
      await addInvitation(house, owner, email, offered.permissions, offered.tags)
      start.invited.set(place(owner, email), offered)
    }
  }
  let models = [start]
  const story: string[] = []
  const wrong: string[] = []
  const counts = { steps: 0, seen: 0, refused: 0 }
  for (let i = 0; i < steps && wrong.length === 0; i++) {
    const chosen = Array.from({ length: chance(0.3) ? 2 : 1 }, () => chooseStep(house, cast, pick))
    story.push(`${i + 1}. ${chosen.map(({ words }) => words).join(' | ')}`)
    const statuses = await Promise.all(chosen.map(({ send }) => send()))
    counts.steps += chosen.length
    counts.refused += statuses.filter((status) => status >= 400).length
    const orders = chosen.length === 1 ? [chosen] : [chosen, chosen.toReversed()]
    const found = await look(cast)
    counts.seen += found.filter((line) => /sees [1-9]/.test(line)).length
    const possible = models.flatMap((model) =>
      orders.map((order) => {
        const after = copyOf(model)
        const expected = new Map(order.map((step) => [step, step.apply(after)]))
        return { after, lines: expectedLines(cast, after), answers: chosen.map((step) => expected.get(step)) }
      })
    )
    const answered = statuses.map((status) => status < 400)
    const fitting = possible.filter(({ lines, answers }) => lines.join() === found.join() && answers.join() === answered.join())
    if (fitting.length === 0)
      wrong.push(
        ...possible.map((one) => `expected ${one.lines.join('; ')}: ${one.answers.join()}`),
        `found ${found.join('; ')}: ${statuses.join()}`
      )
    // Of two steps at once it may show only later which came first.
    models = fitting.map(({ after }) => after)
  }
  return { wrong, story, ...counts }
}

const copyOf = ({ members, invited, acting, demanding }: Model): Model => ({
  demanding: new Set(demanding),
  members: new Map(members),
  invited: new Map(invited),
  acting: new Map(acting),
})

async function openCast(house: House): Promise<Cast> {
  const owners = [await house.newOwner('Acme'), await house.newOwner('Beta')]
  for (const { email } of owners) await proveByTwo(house, email)
  const tag: string[] = []
  const assets = new Map<string, number[]>()
  for (const [at, { account_id }] of owners.entries()) {
    const id = newId('tag')
    tag.push(id)
    await house.db.insertInto('tag').values({ account_id, id, name: 'north', color: 'teal' }).execute()
    // Of each owner a number of assets of their own, so that an account is known by what is seen of it.
    const [all, tagged] = [[3, 5][at]!, [1, 2][at]!]
    assets.set(account_id, [all, tagged])
    const rows = Array.from({ length: all }, (_, i) => ({
      account_id,
      id: newId('asset'),
      type: 'core' as const,
      serial: newId('asset'),
      name: `asset ${i}`,
      sim_id: null,
      sim_status: null,
    }))
    await house.db.insertInto('asset').values(rows).execute()
    await house.db
      .insertInto('asset_tag')
      .values(rows.slice(0, tagged).map((row) => ({ account_id, asset_id: row.id, tag_id: id })))
      .execute()
  }
  const sessions: Cast['sessions'] = []
  const guests: string[] = []
  for (let i = 0; i < 2; i++) {
    const guest = await house.newOwner('Guest')
    guests.push(guest.email)
    sessions.push({ person: guest, email: guest.email })
    if (i === 0) sessions.push({ person: await house.newVisit(guest), email: guest.email })
  }
  return { owners, guests, sessions, tag, assets }
}

/** Gives somebody a passkey, and takes their sessions for opened with it. */
async function proveByTwo(house: House, email: string) {
  const { id: person_id } = await house.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const at = house.clock.now()
  await house.db
    .insertInto('passkey')
    .values({ ...newTestPasskey().row, id: newId('passkey'), person_id, name: 'Key', created_at: at })
    .execute()
  await house.db.updateTable('session').set({ two_factors_at: at }).where('person_id', '=', person_id).execute()
}

/** A step: how it is asked for, and what it does to the model. `apply` says whether it must succeed. */
type Step = { words: string; send: () => Promise<number>; apply: (model: Model) => boolean }

function chooseStep(house: House, cast: Cast, pick: <T>(from: readonly T[]) => T): Step {
  const at = pick([0, 1])
  const owner = cast.owners[at]!
  const { person, email } = pick(cast.sessions)
  const team = owner === cast.owners[0] ? 'Acme' : 'Beta'
  const who = `guest ${cast.guests.indexOf(email)} in session ${cast.sessions.findIndex((one) => one.person === person)}`
  const key = place(owner, email)
  const status = async (answer: Promise<{ status: number }>) => (await answer).status
  const rights = { permissions: pick(permissionSets), tags: pick([[], [cast.tag[at]!]]) }
  const home = (model: Model, gone: string) => {
    for (const one of cast.sessions)
      if (one.email === gone && model.acting.get(one.person) === owner.account_id) model.acting.set(one.person, null)
  }
  const demand = (on: boolean): Step => ({
    words: `${team} ${on ? 'demands a second factor' : 'demands none any more'}`,
    // Proofs and codes are tested beside demand-second-factor.ts.
    send: async () => {
      const second_factor_demanded_at = on ? house.clock.now() : null
      await house.db.updateTable('account').set({ second_factor_demanded_at }).where('id', '=', owner.account_id).execute()
      return 200
    },
    apply: ({ demanding }) => {
      demanding[on ? 'add' : 'delete'](owner.account_id)
      return true
    },
  })
  const steps: Record<string, () => Step> = {
    demand: () => demand(true),
    relax: () => demand(false),
    invite: () => ({
      words: `${team} grants guest ${cast.guests.indexOf(email)} ${rights.permissions.join('+') || 'nothing'}${rights.tags.length ? ' with the tag' : ''}`,
      send: () =>
        status(owner.call(teams.updateInvitation, { body: { email, permissions: rights.permissions as never, tags: rights.tags } })),
      apply: ({ members, invited }) => {
        if (members.has(key)) members.set(key, rights)
        else invited.set(key, rights)
        return true
      },
    }),
    approve: () => ({
      words: `${who} approves ${team}`,
      send: () => status(person.call(teams.approveInvitation, { body: { inviter_email: owner.email } })),
      apply: ({ members, invited }) => {
        const offered = invited.get(key)
        if (!offered) return false
        members.set(key, offered)
        return invited.delete(key)
      },
    }),
    reject: () => ({
      words: `${who} rejects ${team}`,
      send: () => status(person.call(teams.rejectInvitation, { body: { inviter_email: owner.email } })),
      apply: ({ invited }) => invited.delete(key),
    }),
    revoke: () => ({
      words: `${team} takes back guest ${cast.guests.indexOf(email)}`,
      send: () => status(owner.call(teams.deleteInvitation, { params: { invited_email: email } })),
      apply: ({ invited }) => invited.delete(key),
    }),
    switch: () => ({
      words: `${who} switches to ${team}`,
      send: () => status(person.call(switchAccount, { body: { team_member_email: owner.email } })),
      apply: ({ members, acting }) => {
        if (!members.has(key)) return false
        acting.set(person, owner.account_id)
        return true
      },
    }),
    back: () => ({
      words: `${who} switches back`,
      send: () => status(person.call(switchAccount, { body: { team_member_email: email } })),
      apply: ({ acting }) => Boolean(acting.set(person, null)),
    }),
    remove: () => ({
      words: `${team} removes guest ${cast.guests.indexOf(email)}`,
      send: () => status(owner.call(teams.removeMember, { params: { member_email: email } })),
      apply: (model) => {
        if (!model.members.delete(key)) return false
        home(model, email)
        return true
      },
    }),
    leave: () => ({
      words: `${who} leaves ${team}`,
      send: () => status(person.call(teams.leaveTeam, { body: { owner_email: owner.email } })),
      apply: (model) => {
        if (!model.members.delete(key)) return false
        home(model, email)
        return true
      },
    }),
  }
  return steps[
    pick([
      'invite',
      'invite',
      'invite',
      'approve',
      'approve',
      'approve',
      'switch',
      'switch',
      'switch',
      'back',
      'reject',
      'revoke',
      'remove',
      'leave',
      'demand',
      'relax',
      'relax',
    ])
  ]!()
}

/** What each session sees: which account, how many assets in list and overview, and whether it may invite. */
const look = (cast: Cast) =>
  Promise.all(
    cast.sessions.map(async ({ person }, i) => {
      const [info, list, overview, team] = await Promise.all([
        person.call(getUserInfo),
        person.call(listAssets),
        person.call(getOverview),
        person.call(teams.getTeam),
      ])
      const count = list.status === 200 ? list.body.total : list.status
      const total = overview.status === 200 ? overview.body.assets.total : overview.status
      return `${i} at ${info.body.acting_as ?? 'home'} sees ${count} and ${total}, team ${team.status}`
    })
  )

function expectedLines({ sessions, owners, assets }: Cast, { members, acting, demanding }: Model): string[] {
  return sessions.map(({ person, email }, i) => {
    const owner = owners.find(({ account_id }) => account_id === acting.get(person))
    if (!owner) return `${i} at home sees 0 and 0, team 200`
    const { permissions, tags } = members.get(place(owner, email))!
    const seen = assets.get(owner.account_id)![tags.length > 0 ? 1 : 0]!
    const may = (name: string, count: number) => (permissions.includes(name) && !demanding.has(owner.account_id) ? count : 403)
    return `${i} at ${owner.email} sees ${may('assets.view', seen)} and ${may('overview.view', seen)}, team ${may('profile.view', 200)}`
  })
}
