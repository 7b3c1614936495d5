import { sql } from 'kysely'
import { refusals, type Enrolment } from '@masthead/contract/core/enrolment'
import type { exportEnrolments as exportPromise, listEnrolments as promise } from '@masthead/contract/core/operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { visibleTo } from '../assets/index.ts'
import type { Actor, Db } from '../kernel/app.ts'
import { csvLine } from '../kernel/http/csv.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { getDeployment } from './deployment-queries.ts'

type Filter = Parsed<typeof exportPromise>['query']
type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>

/** Each ICCID that asked, the latest first. Throws not_found. */
export async function listEnrolments(
  db: Db,
  viewer: Viewer,
  deployment_id: string,
  query: Parsed<typeof promise>['query']
): Promise<Reply<typeof promise>> {
  await getDeployment(db, viewer, deployment_id)
  return pageByKey(db, query, {
    name: 'core_enrolments',
    all: matching(db, viewer, deployment_id, query),
    keys: [
      { of: sql.ref('core_enrolment.last_at'), is: 'time' },
      { of: sql.ref('core_enrolment.iccid'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) => withAssets(page, viewer),
    items: (rows) => rows.map(asEnrolment),
  })
}

const columns = [
  'iccid',
  'result',
  'refusal',
  'words',
  'asset_id',
  'asset_name',
  'enrolled_at',
  'first_at',
  'last_at',
  'asked',
  'ip',
] as const
const rowsAtOnce = 1000

/** The same as CSV. The deployment was found before. */
export async function* exportEnrolments(db: Db, viewer: Viewer, deployment_id: string, filter: Filter): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let last: { last_at: Date; iccid: string } | undefined, more = true; more;) {
    let part = withAssets(matching(db, viewer, deployment_id, filter), viewer)
    if (last) part = part.where(sql<boolean>`(core_enrolment.last_at, core_enrolment.iccid) < (${last.last_at}, ${last.iccid})`)
    const rows = await part.orderBy('core_enrolment.last_at', 'desc').orderBy('core_enrolment.iccid', 'desc').limit(rowsAtOnce).execute()
    yield rows.map(asEnrolment).map(asLine).join('')
    last = rows.at(-1)
    more = rows.length === rowsAtOnce
  }
}

const asLine = ({ iccid, result, refusal, asset, enrolled_at, first_at, last_at, asked, ip }: Enrolment) =>
  csvLine([iccid, result, refusal?.code, refusal?.words, asset?.id, asset?.name, enrolled_at, first_at, last_at, asked, ip])

function matching(db: Db, { account_id }: Viewer, deployment_id: string, { result, search }: Filter) {
  let all = db
    .selectFrom('core_enrolment')
    .where('core_enrolment.account_id', '=', account_id)
    .where('core_enrolment.deployment_id', '=', deployment_id)
  if (result) all = all.where('refused_code', result === 'refused' ? 'is not' : 'is', null)
  if (search) all = all.where(sql<boolean>`starts_with(core_enrolment.iccid, ${search})`)
  return all
}

const withAssets = (enrolments: ReturnType<typeof matching>, viewer: Viewer) =>
  enrolments
    .leftJoin('asset', (join) =>
      join
        .onRef('asset.account_id', '=', 'core_enrolment.account_id')
        .onRef('asset.id', '=', 'core_enrolment.asset_id')
        .on(visibleTo(viewer))
    )
    .select(['core_enrolment.iccid', 'core_enrolment.refused_code', 'core_enrolment.enrolled_at', 'core_enrolment.first_at'])
    .select(['core_enrolment.last_at', 'core_enrolment.asked', 'core_enrolment.ip', 'asset.id as asset_id', 'asset.name as asset_name'])
type Row = Awaited<ReturnType<ReturnType<typeof withAssets>['execute']>>[number]

const asEnrolment = ({ refused_code, asset_id, asset_name, ...row }: Row): Enrolment => ({
  ...row,
  result: refused_code ? 'refused' : 'enrolled',
  refusal: refused_code && { code: refused_code, words: refusals[refused_code] },
  asset: asset_id !== null && asset_name !== null ? { id: asset_id, name: asset_name } : null,
  enrolled_at: row.enrolled_at?.toISOString() ?? null,
  first_at: row.first_at.toISOString(),
  last_at: row.last_at.toISOString(),
})
