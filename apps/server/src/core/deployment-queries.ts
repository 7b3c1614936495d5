import { sql, type SelectQueryBuilder } from 'kysely'
import { deploymentState, type Deployment } from '@masthead/contract/core/deployment'
import type { listDeployments as promise } from '@masthead/contract/core/operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import type { Database } from '../kernel/database/database.ts'
import { containing } from '../kernel/http/like.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { tagsOf } from '../tags/index.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>

/** All of the account; for a limited member those whose devices they will see, since all of what they get are tags of theirs. */
const deploymentsOf = (db: Db, { account_id, tags }: Viewer) => {
  const all = db.selectFrom('core_deployment').where('core_deployment.account_id', '=', account_id)
  return tags.length === 0 ? all : all.where(sql<boolean>`core_deployment.tags <> '{}' and core_deployment.tags <@ ${[...tags]}::text[]`)
}

const withRest = <Of>(deployments: SelectQueryBuilder<Database, 'core_deployment', Of>, at: Date) =>
  deployments
    .innerJoin('person as maker', 'maker.id', 'core_deployment.created_by')
    .leftJoin('network_group', (join) =>
      join
        .onRef('network_group.account_id', '=', 'core_deployment.account_id')
        .onRef('network_group.id', '=', 'core_deployment.network_group_id')
    )
    .select(['core_deployment.id', 'core_deployment.name', 'core_deployment.region', 'core_deployment.board'])
    .select(['core_deployment.max_devices', 'core_deployment.expires_at', 'core_deployment.paused_at', 'core_deployment.revoked_at'])
    .select(['core_deployment.enrolled', 'core_deployment.last_enrolled_at', 'core_deployment.created_at', 'core_deployment.rotated_at'])
    .select(['maker.email as created_by', 'network_group.id as group_id', 'network_group.name as group_name'])
    .select(tagsOf('core_deployment').as('tags'))
    .select(
      sql<
        { token_end: string; expires_at: string | null; may_register: boolean }[]
      >`(select json_agg(json_build_object('token_end', t.token_end, 'expires_at', t.expires_at, 'may_register', t.may_register)
        order by t.expires_at desc nulls first) from core_deployment_token t where t.account_id = core_deployment.account_id
        and t.deployment_id = core_deployment.id and (t.expires_at is null or t.expires_at > ${at}))`.as('tokens')
    )
    .select(
      sql<number>`(select count(*)::int from core_enrolment e where e.account_id = core_deployment.account_id
        and e.deployment_id = core_deployment.id and e.refused_code is not null)`.as('refused')
    )

type Row = Awaited<ReturnType<ReturnType<typeof withRest>['executeTakeFirstOrThrow']>>

function asDeployment({ paused_at, revoked_at, group_id, group_name, tokens, ...row }: Row, at: Date): Deployment {
  const [current, before] = tokens
  return {
    ...row,
    state: deploymentState({ ...row, paused_at, revoked_at }, at),
    token_end: current!.token_end,
    registers: current!.may_register,
    previous: before && !revoked_at ? { token_end: before.token_end, expires_at: new Date(before.expires_at!).toISOString() } : null,
    network_group: group_id !== null && group_name !== null ? { id: group_id, name: group_name } : null,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_enrolled_at: row.last_enrolled_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    rotated_at: row.rotated_at?.toISOString() ?? null,
  }
}

/** A page of deployments, newest first. */
export async function listDeployments(db: Db, viewer: Viewer, query: Parsed<typeof promise>['query']): Promise<Reply<typeof promise>> {
  const { search, state } = query
  const { at } = viewer
  let all = deploymentsOf(db, viewer)
  if (search) {
    const pattern = containing(search)
    all = all.where(
      sql<boolean>`(core_deployment.name ilike ${pattern} or exists (select from core_deployment_token t
        where t.account_id = core_deployment.account_id and t.deployment_id = core_deployment.id and t.token_end = right(${search}, 4)))`
    )
  }
  if (state) all = all.where(sql<boolean>`${stateNow(at)} = ${state}`)
  return pageByKey(db, query, {
    name: 'core_deployments',
    all,
    keys: [{ of: sql.ref('core_deployment.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => withRest(page, at),
    items: (rows) => rows.map((row) => asDeployment(row, at)),
  })
}

/** As `deploymentState` has it. */
const stateNow = (at: Date) => sql`case when revoked_at is not null then 'revoked' when expires_at <= ${at} then 'expired'
  when paused_at is not null then 'paused' when enrolled >= max_devices then 'full' else 'open' end`

export async function getDeployment(db: Db, viewer: Viewer, id: string): Promise<Deployment> {
  const row = await withRest(deploymentsOf(db, viewer), viewer.at).where('core_deployment.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asDeployment(row, viewer.at)
}

/** The deployment's own row, locked. */
export async function getDeploymentForUpdate(tx: Tx, viewer: Viewer, id: string) {
  const row = await deploymentsOf(tx, viewer)
    .selectAll('core_deployment')
    .where('core_deployment.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}
