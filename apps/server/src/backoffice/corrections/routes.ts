import { listSimCorrections } from '@masthead/contract/assets/operations'
import * as corrections from '@masthead/contract/backoffice/correction-operations'
import { getAssetId } from '../../assets/index.ts'
import { findAnyAsset, logged, recordView } from '../index.ts'
import { reach, read, write, type Route } from '../../kernel/http/routes.ts'
import { correctUsage, undoCorrection } from './correct-usage.ts'
import { listCorrections } from './correction-queries.ts'
import { getCorrectionPreview } from './get-correction-preview.ts'

const staffRoutes: readonly Route[] = [
  reach(corrections.listCorrections, async ({ app: { db }, actor, params, query }) => {
    const { account_id, email, id: asset_id, name: asset_name } = await findAnyAsset(db, params.any_asset_id)
    await recordView(db, actor, { id: account_id, email }, { asset_id, asset_name })
    return listCorrections(db, { account_id, asset_id }, query)
  }),
  reach(corrections.getCorrectionPreview, async ({ app: { db }, actor, params, query }) => {
    const { account_id, email, id: asset_id, name: asset_name } = await findAnyAsset(db, params.any_asset_id)
    await recordView(db, actor, { id: account_id, email }, { asset_id, asset_name })
    return getCorrectionPreview(db, actor, params.any_asset_id, query)
  }),
  write(corrections.correctUsage, ({ db, actor, params, body }) => correctUsage(db, actor, params.any_asset_id, body)),
  write(corrections.undoCorrection, ({ db, actor, params, body }) =>
    undoCorrection(db, actor, params.any_asset_id, params.correction_id, body.reason)
  ),
]

export const correctionRoutes: readonly Route[] = [
  read(listSimCorrections, async ({ db, actor, params, query }) =>
    listCorrections(db, { account_id: actor.account_id, asset_id: await getAssetId(db, actor, params.asset_id) }, query)
  ),
  ...staffRoutes.map(logged),
]
