import { newId } from '@masthead/contract/kernel/id'
import { notThere, type ReportedContainer } from '@masthead/contract/devices/agent/container'
import type { House } from '@masthead/testkit/house'
import { encryptVersion } from './rollouts/version-queries.ts'
import './tables.ts'

type Place = Pick<House, 'db' | 'clock'>

/** A fleet as it stands in the database. */
export async function putFleet(
  { db, clock }: Place,
  {
    account_id,
    asset_id,
    pilot_asset_id = null,
    name = 'Depots',
  }: { account_id: string; asset_id?: string; pilot_asset_id?: string | null; name?: string }
): Promise<string> {
  const [id, at] = [newId({ prefix: 'flt' }), clock.now()]
  await db.insertInto('fleet').values({ account_id, id, name, pilot_asset_id, created_at: at, updated_at: at, updated_by: null }).execute()
  if (asset_id) await db.insertInto('fleet_asset').values({ account_id, asset_id, fleet_id: id, added_at: at }).execute()
  return id
}

/** One with a paused rollout; and `ready_id`: one whose pilot runs what is wanted of it, with a version that can be rolled out. */
export async function putFleets(house: Place, { account_id, active, idle }: { account_id: string; active: string; idle: string }) {
  const id = await putFleet(house, { account_id, asset_id: active })
  await putVersion(house, { account_id, fleet_id: id })
  const [rollout_id, at] = [newId({ prefix: 'rol' }), house.clock.now()]
  const plan = JSON.stringify({ phases: [100], most_failed_percent: 5, retries: 1, minutes_a_device: 30, window: null })
  await house.db
    .insertInto('rollout')
    .values({ account_id, id: rollout_id, fleet_id: id, version: 1, plan, state: 'paused', started_at: at, started_by: 'owner' })
    .execute()
  await house.db.updateTable('fleet').set({ version: 1 }).where('id', '=', id).execute()
  await house.db.insertInto('rollout_device').values({ account_id, rollout_id, asset_id: active, phase: 0, state: 'failure' }).execute()
  const ready_id = await putFleet(house, { account_id, asset_id: idle, pilot_asset_id: idle, name: 'Ready' })
  await putVersion(house, { account_id, fleet_id: ready_id })
  await putDevice(house, { account_id, asset_id: idle })
  await putContainer(house, { account_id, asset_id: idle, name: 'relay', image: 'acme/relay:2' })
  await report(house, { account_id, asset_id: idle })
  return { id, rollout_id, ready_id }
}

/** A device of a rollout that failed in its only try. */
export async function putTry(
  { db, clock }: Place,
  { account_id, rollout_id, asset_id, words }: { account_id: string; rollout_id: string; asset_id: string; words: string }
) {
  const [of, at] = [{ account_id, rollout_id, asset_id }, clock.now()]
  await db
    .insertInto('rollout_device')
    .values({ ...of, phase: 0, state: 'failure', attempts: 1, error: words })
    .execute()
  await db
    .insertInto('rollout_try')
    .values({ ...of, started_at: at, ended_at: at, outcome: 'failure', words })
    .execute()
}

/** A version of a fleet whose containers run these images. */
export async function putVersion(
  { db, clock }: Place,
  {
    account_id,
    fleet_id,
    version = 1,
    images = ['acme/relay:1'],
  }: { account_id: string; fleet_id: string; version?: number; images?: readonly string[] }
) {
  const id = newId({ prefix: 'flv' })
  const nothing = { restart_policy: 'always', ports: [], volumes: [], environment: [], health: null }
  await db
    .insertInto('fleet_version')
    .values({
      account_id,
      fleet_id,
      version,
      id,
      pilot_name: 'Pilot',
      containers: JSON.stringify(images.map((image, nth) => ({ name: nth === 0 ? 'relay' : `relay-${nth}`, image, ...nothing }))),
      sealed_secrets: encryptVersion(db as never, id, '{}'),
      changes: images.map((image) => `relay added: ${image}`),
      note: null,
      created_at: clock.now(),
      created_by: 'owner',
    })
    .execute()
}

/** A device with our agent, online; it has said nothing yet. */
export async function putDevice({ db, clock }: Place, { account_id, asset_id }: { account_id: string; asset_id: string }) {
  const id = newId({ prefix: 'dev' })
  const hash = Buffer.from(id)
  await db
    .insertInto('device')
    .values({
      account_id,
      id,
      asset_id,
      kind: 'agent',
      username_hash: hash,
      password_hash: hash,
      created_at: clock.now(),
      online: true,
    } as never)
    .execute()
}

/** A container that is wanted on a device. */
export async function putContainer(
  { db, clock }: Place,
  { account_id, asset_id, name, image }: { account_id: string; asset_id: string; name: string; image: string }
) {
  const id = newId({ prefix: 'ctr' })
  await db
    .insertInto('application')
    .values({ account_id, asset_id, revision: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('container')
    .values({
      account_id,
      id,
      asset_id,
      name,
      image,
      generation: 1,
      restart: 1,
      run: 'running',
      ports: '[]',
      volumes: '[]',
      environment: '[]',
      sealed_secrets: (db as unknown as { keys: { encrypt: (what: string, text: string) => string } }).keys.encrypt(
        `container ${id}`,
        '{}'
      ),
      restart_policy: 'always',
      health: null,
      created_at: clock.now(),
      changed_at: clock.now(),
      changed_by: 'owner',
    })
    .execute()
}

/** What the device of an asset says: that it runs what is wanted for a minute, from which image, or that a container is in trouble. */
export async function report(
  { db, clock }: Place,
  {
    account_id,
    asset_id,
    trouble,
    digest = `sha256:${'ab'.repeat(32)}`,
  }: { account_id: string; asset_id: string; trouble?: string; digest?: string }
) {
  const at = clock.now()
  const rows = await db.selectFrom('container').selectAll().where('account_id', '=', account_id).where('asset_id', '=', asset_id).execute()
  const { revision } = await db
    .selectFrom('application')
    .select('revision')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .executeTakeFirstOrThrow()
  const containers = rows.map(({ name, generation, image }): ReportedContainer => ({
    ...notThere,
    name,
    generation,
    image,
    state: trouble ? 'exited' : 'running',
    digest,
    started_at: new Date(at.getTime() - 60_000).toISOString(),
    problem: trouble ? { code: 'crash_loop_backoff', words: trouble, since: at.toISOString(), next_at: null } : null,
  }))
  const reported = JSON.stringify({ agent: { at: at.toISOString(), revision, containers, versions: {}, engine_words: null } })
  await db
    .updateTable('device')
    .set({ reported, reported_at: at } as never)
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .execute()
}
