import { sql } from 'kysely'
import { refusals, type Enrolment } from '@masthead/contract/core/enrolment'
import type { listEnrolments as promise } from '@masthead/contract/core/operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { visibleTo } from '../assets/index.ts'
import type { Actor, Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { getDeployment } from './deployment-queries.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>

/** Each ICCID that asked, the latest first. Throws not_found. */
export async function listEnrolments(
  db: Db,
  viewer: Viewer,
  deployment_id: string,
  query: Parsed<typeof promise>['query']
): Promise<Reply<typeof promise>> {
  await getDeployment(db, viewer, deployment_id)
  const { result, search } = query
  let all = db
    .selectFrom('core_enrolment')
    .where('core_enrolment.account_id', '=', viewer.account_id)
    .where('core_enrolment.deployment_id', '=', deployment_id)
  if (result) all = all.where('refused_code', result === 'refused' ? 'is not' : 'is', null)
  if (search) all = all.where(sql<boolean>`starts_with(core_enrolment.iccid, ${search})`)
  return pageByKey(db, query, {
    name: 'core_enrolments',
    all,
    keys: [
      { of: sql.ref('core_enrolment.last_at'), is: 'time' },
      { of: sql.ref('core_enrolment.iccid'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) =>
      page
        .leftJoin('asset', (join) =>
          join
            .onRef('asset.account_id', '=', 'core_enrolment.account_id')
            .onRef('asset.id', '=', 'core_enrolment.asset_id')
            .on(visibleTo(viewer))
        )
        .select(['core_enrolment.iccid', 'core_enrolment.refused_code', 'core_enrolment.enrolled_at', 'core_enrolment.first_at'])
        .select([
          'core_enrolment.last_at',
          'core_enrolment.asked',
          'core_enrolment.ip',
          'asset.id as asset_id',
          'asset.name as asset_name',
        ]),
    items: (rows) =>
      rows.map(({ refused_code, asset_id, asset_name, ...row }): Enrolment => ({
        ...row,
        result: refused_code ? 'refused' : 'enrolled',
        refusal: refused_code && { code: refused_code, words: refusals[refused_code] },
        asset: asset_id !== null && asset_name !== null ? { id: asset_id, name: asset_name } : null,
        enrolled_at: row.enrolled_at?.toISOString() ?? null,
        first_at: row.first_at.toISOString(),
        last_at: row.last_at.toISOString(),
      })),
  })
}
