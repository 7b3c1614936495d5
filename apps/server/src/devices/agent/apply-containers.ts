import type { ContainerSpec } from '@masthead/contract/devices/agent/application'
import { newId } from '@masthead/contract/kernel/id'
import { anyOf } from '../../assets/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { containerId, nextRevision, notifyDevice } from './change-container.ts'
import { containersOf, encryptSecrets, secretsOf, type ContainerRow, type Secrets } from './container-rows.ts'

export type Content = { containers: readonly ContainerSpec[]; secrets: Record<string, Secrets> }

const fields = ['image', 'ports', 'volumes', 'environment', 'restart_policy', 'health'] as const

/**
 * Has a device run exactly these containers. What is as it is to be stays untouched and runs on, but for those that are to start anew. Answers with
 * the revision that says so: the device is there once it reports that one.
 */
export async function applyContainers(
  tx: Tx,
  actor: Actor,
  asset_id: string,
  { containers, secrets }: Content,
  anew: ReadonlySet<string> = new Set()
): Promise<number> {
  const { account_id, at, email: changed_by } = actor
  const revision = await nextRevision(tx, actor, asset_id)
  const before = await containersOf(tx, account_id, asset_id)
  const gone = before.filter(({ name }) => !containers.some((each) => each.name === name)).map(({ id }) => id)
  await tx.deleteFrom('container').where('account_id', '=', account_id).where('id', '=', anyOf(gone)).execute()
  for (const spec of containers) {
    const row = before.find(({ name }) => name === spec.name)
    const own = secrets[spec.name] ?? {}
    if (row && isAs(row, spec) && JSON.stringify(secretsOf(tx, row)) === JSON.stringify(own) && row.run === 'running') {
      // The device forgets by it what failed, and tries at once.
      if (anew.has(spec.name))
        await tx.updateTable('container').set({ restart: revision }).where('account_id', '=', account_id).where('id', '=', row.id).execute()
      continue
    }
    const id = row?.id ?? newId(containerId, at.getTime())
    const said = {
      generation: revision,
      restart: revision,
      run: 'running' as const,
      image: spec.image,
      ports: JSON.stringify(spec.ports),
      volumes: JSON.stringify(spec.volumes),
      environment: JSON.stringify(spec.environment),
      sealed_secrets: encryptSecrets(tx, id, JSON.stringify(own)),
      restart_policy: spec.restart_policy,
      health: spec.health && JSON.stringify(spec.health),
      changed_at: at,
      changed_by,
    }
    if (row) await tx.updateTable('container').set(said).where('account_id', '=', account_id).where('id', '=', id).execute()
    else
      await tx
        .insertInto('container')
        .values({ ...said, account_id, id, asset_id, name: spec.name, created_at: at })
        .execute()
  }
  await notifyDevice(tx, actor, asset_id)
  return revision
}

const isAs = (row: ContainerRow, spec: ContainerSpec) => fields.every((field) => JSON.stringify(row[field]) === JSON.stringify(spec[field]))
