import * as access from '@masthead/contract/backoffice/access-operations'
import * as accounts from '@masthead/contract/backoffice/account-operations'
import * as gateways from '@masthead/contract/backoffice/gateway-operations'
import { getStaffDevice as getStaffDevicePromise } from '@masthead/contract/backoffice/device-operations'
import * as home from '@masthead/contract/backoffice/home-operations'
import * as networks from '@masthead/contract/backoffice/network-operations'
import * as backoffice from '@masthead/contract/backoffice/operations'
import * as quarantine from '@masthead/contract/backoffice/quarantine-operations'
import * as refused from '@masthead/contract/backoffice/refused-sender-operations'
import { networkChanged, networkRated, networksImported } from '@masthead/contract/backoffice/staff-actions'
import * as log from '@masthead/contract/backoffice/staff-log-operations'
import * as stock from '@masthead/contract/backoffice/stock-operations'
import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import { listAssets } from '../assets/index.ts'
import { getGateway, listGateways, listRefusedSenders } from '../gateways/index.ts'
import { reach, read, stream, write, streamOf, type Route } from '../kernel/http/routes.ts'
import { importOperators, listOperatorRates, listOperators, readNetworks, setOperatorRate, updateOperator } from '../networks/index.ts'
import { getAccountOf, getCustomer, listAccounts } from './accounts/accounts.ts'
import { findAnyAsset, getStaffAsset, holdSim, releaseSim } from './assets.ts'
import {
  addNote,
  proveEmail,
  resumeAccount,
  setRegistryQuota,
  setTestAllowance,
  suspendAccount,
  updateFeatureFlags,
  updateGroups,
} from './accounts/change-account.ts'
import { enterBackoffice } from './staff/enter-backoffice.ts'
import {
  addGateway,
  addGatewayAddress,
  joinGateways,
  removeGateway,
  removeGatewayAddress,
  rotateGatewaySecret,
  updateGateway,
  updateGatewayAddress,
} from './gateways.ts'
import { getHome, listSearchHits } from './home.ts'
import { leaveBackoffice } from './staff/leave-backoffice.ts'
import { asLongAs, loadInventory } from './stock/load-inventory.ts'
import { assignStock, transferStock } from './stock/move-stock.ts'
import { moneyRoutes } from './money/routes.ts'
import { staffBrokerRoutes } from './broker/routes.ts'
import { staffPoolRoutes } from './pools/routes.ts'
import { staffSupportRoutes } from './support/routes.ts'
import { getQuarantineTotals, listQuarantine } from './quarantine/quarantine.ts'
import { discardQuarantine, matchQuarantine } from './quarantine/resolve-quarantine.ts'
import { getStaffDevice } from './staff-device.ts'
import { updateStaff } from './staff/staff.ts'
import { exportStaffLog, listStaffLog } from './staff/staff-log-queries.ts'
import { logged, recordList, recordStaff, recordView } from './staff/staff-log.ts'
import { listStock } from './stock/stock.ts'
import { stopViewing, viewAccount } from './accounts/view-account.ts'

const staffRoutes: Route[] = [
  read(home.getHome, ({ db, actor }) => getHome(db, actor)),
  reach(home.listSearchHits, async ({ app, actor, query }) => ({ items: await listSearchHits(app.db, actor, query.search) })),
  reach(home.getStaffAsset, async ({ app: { db }, actor, params }) => {
    const found = await findAnyAsset(db, params.any_asset_id)
    await recordView(db, actor, { id: found.account_id, email: found.email }, { asset_id: found.id, asset_name: found.name })
    return getStaffAsset(db, actor, found)
  }),
  reach(getStaffDevicePromise, async ({ app: { db }, actor, params }) => {
    const found = await findAnyAsset(db, params.any_asset_id)
    await recordView(db, actor, { id: found.account_id, email: found.email }, { asset_id: found.id, asset_name: found.name })
    return getStaffDevice(db, actor, found)
  }),
  write(home.holdSim, ({ db, actor, params, body }) => holdSim(db, actor, params.any_asset_id, body.reason)),
  write(home.releaseSim, ({ db, actor, params, body }) => releaseSim(db, actor, params.any_asset_id, body.reason)),

  reach(accounts.listAccounts, async ({ app: { db }, actor, query }) => {
    await recordList(db, actor, 'accounts', query.search)
    return listAccounts(db, query)
  }),
  reach(accounts.getCustomer, async ({ app: { db }, actor, params }) => {
    const account = await getAccountOf(db, params.email)
    await recordView(db, actor, account)
    return getCustomer(db, actor, account.id)
  }),
  reach(accounts.listCustomerAssets, async ({ app: { db }, actor, params, query }) => {
    const account = await getAccountOf(db, params.email)
    await recordView(db, actor, account)
    return listAssets(db, { account_id: account.id, tags: [], at: actor.at }, { ...query, sort: 'name' })
  }),
  write(accounts.suspendAccount, ({ db, actor, params, body }) => suspendAccount(db, actor, params.email, body.reason)),
  write(accounts.proveEmail, ({ db, actor, params, body }) => proveEmail(db, actor, params.email, body.reason)),
  write(accounts.resumeAccount, ({ db, actor, params, body }) => resumeAccount(db, actor, params.email, body.reason)),
  write(accounts.setRegistryQuota, ({ db, actor, params, body }) => setRegistryQuota(db, actor, params.email, body)),
  write(accounts.setTestAllowance, ({ db, actor, params, body }) => setTestAllowance(db, actor, params.email, body)),
  write(accounts.updateFeatureFlags, ({ db, actor, params, body }) => updateFeatureFlags(db, actor, params.email, body)),
  write(accounts.updateGroups, ({ db, actor, params, body }) => updateGroups(db, actor, params.email, body)),
  write(accounts.updateStaff, ({ db, actor, params, body }) => updateStaff(db, actor, params.email, body)),
  write(accounts.addNote, ({ db, actor, params, body }) => addNote(db, actor, params.email, body.text)),
  reach(accounts.viewAccount, viewAccount),

  read(gateways.listGateways, async ({ db, actor }) => ({ items: await listGateways(db, actor.at) })),
  write(gateways.addGateway, async ({ db, actor, body }) => {
    const { id, secret } = await addGateway(db, actor, body)
    return { gateway: await getGateway(db, actor.at, id), secret }
  }),
  write(gateways.updateGateway, ({ db, actor, params, body }) => updateGateway(db, actor, params.gateway_id, body)),
  write(gateways.addGatewayAddress, async ({ db, actor, params, body }) => {
    const { secret } = await addGatewayAddress(db, actor, params.gateway_id, body)
    return { gateway: await getGateway(db, actor.at, params.gateway_id), secret }
  }),
  write(gateways.updateGatewayAddress, async ({ db, actor, params, body }) => {
    await updateGatewayAddress(db, actor, params, body)
    return getGateway(db, actor.at, params.gateway_id)
  }),
  write(gateways.rotateGatewaySecret, async ({ db, actor, params, body }) => {
    const { secret } = await rotateGatewaySecret(db, actor, params, body.secret)
    return { gateway: await getGateway(db, actor.at, params.gateway_id), secret }
  }),
  write(gateways.removeGatewayAddress, async ({ db, actor, params }) => {
    await removeGatewayAddress(db, actor, params)
    return getGateway(db, actor.at, params.gateway_id)
  }),
  write(gateways.joinGateways, async ({ db, actor, params, body }) => {
    await joinGateways(db, actor, params.gateway_id, body.other_id)
    return getGateway(db, actor.at, params.gateway_id)
  }),
  read(refused.listRefusedSenders, ({ db, query }) => listRefusedSenders(db, query)),
  write(gateways.removeGateway, ({ db, actor, params }) => removeGateway(db, actor, params.gateway_id)),

  read(networks.listOperators, ({ db, actor, query }) => listOperators(db, actor.at, query)),
  read(networks.listOperatorRates, async ({ db, params }) => ({ items: await listOperatorRates(db, params.mccmnc) })),
  write(networks.updateOperator, async ({ db, actor, params, body }) => {
    const { before, after } = await updateOperator(db, actor, params.mccmnc, body)
    await recordStaff(db, actor, networkChanged, { mccmnc: after.mccmnc, name: after.name }, { target: after.name, before, after })
    return after
  }),
  write(networks.setOperatorRate, async ({ db, actor, params, body }) => {
    const { before, after } = await setOperatorRate(db, actor, params.mccmnc, body)
    const { mccmnc, name } = after
    await recordStaff(
      db,
      actor,
      networkRated,
      { mccmnc, name, effective_from: body.effective_from },
      { target: name, before, after: { rate: { ...body, known_at: undefined } } }
    )
    return after
  }),
  reach(networks.importNetworks, async ({ app, actor, request, stillAllowed, query: { effective_from, apply, basis } }) => {
    const lines = await readNetworks(streamOf(request.body))
    // Reading it may take a while.
    if (!(await stillAllowed())) throw new Problem(forbidden)
    return app.db.transaction().execute(async (tx) => {
      const report = await importOperators(tx, actor, lines, { effective_from, apply: apply === 'true', basis })
      const { added, changed } = report
      const after = { changes: report.changes }
      if (report.applied) await recordStaff(tx, actor, networksImported, { added, changed, effective_from }, { target: 'Networks', after })
      return report
    })
  }),

  reach(backoffice.loadInventory, ({ app, actor, request, stillAllowed, query: { account, active } }) =>
    loadInventory(app, actor, asLongAs(stillAllowed, streamOf(request.body)), { account, active: active === 'true' })
  ),
  reach(stock.listStock, async ({ app: { db }, actor, query }) => {
    await recordList(db, actor, 'stock', query.search)
    return listStock(db, query)
  }),
  write(stock.assignStock, ({ db, actor, body }) => assignStock(db, actor, body)),
  write(stock.transferStock, ({ db, actor, params, body }) => transferStock(db, actor, params.serial, body)),

  reach(quarantine.listQuarantine, async ({ app: { db }, actor, query }) => {
    await recordList(db, actor, 'unmatched usage', query.search)
    return listQuarantine(db, query)
  }),
  read(quarantine.getQuarantineTotals, ({ db }) => getQuarantineTotals(db)),
  write(quarantine.matchQuarantine, ({ db, actor, params, body }) => matchQuarantine(db, actor, params.quarantine_id, body)),
  write(quarantine.discardQuarantine, ({ db, actor, params, body }) => discardQuarantine(db, actor, params.quarantine_id, body)),

  read(log.listStaffLog, ({ db, query }) => listStaffLog(db, query)),
  stream(
    log.exportStaffLog,
    ({ app, actor, query }) => exportStaffLog(app.db, actor, query),
    () => 'backoffice-logs.csv'
  ),
]

export const backofficeRoutes: Route[] = [
  logged(reach(access.enterBackoffice, enterBackoffice)),
  write(backoffice.leaveBackoffice, ({ db, actor }) => leaveBackoffice(db, actor)),
  reach(accounts.stopViewing, stopViewing),
  ...[...staffRoutes, ...staffPoolRoutes, ...staffBrokerRoutes, ...moneyRoutes, ...staffSupportRoutes].map(logged),
]
