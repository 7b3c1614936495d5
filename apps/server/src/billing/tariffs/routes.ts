import * as staff from '@masthead/contract/backoffice/tariff-operations'
import * as prices from '@masthead/contract/billing/price-operations'
import { getAccountOf, logged } from '../../backoffice/index.ts'
import { read, type Route, stream, write } from '../../kernel/http/routes.ts'
import { assignTariff } from './assign-tariff.ts'
import { addTariffVersion, createTariff, previewTariffVersion, withdrawTariffVersion } from './change-tariff.ts'
import { exportPrices, listPrices } from './list-prices.ts'
import { getPriceList, tariffOfAccount, tariffOfPlan } from './price-queries.ts'
import { getTariffEffect } from './tariff-effect.ts'
import { getTariff, listAssignments, listTariffs } from './tariff-queries.ts'

const staffRoutes: Route[] = [
  read(staff.listTariffs, async ({ db, actor }) => ({ items: await listTariffs(db, actor.at) })),
  read(staff.getTariff, ({ db, actor, params }) => getTariff(db, actor.at, params.tariff_id)),
  read(staff.getTariffEffect, ({ db, actor, params, query }) => getTariffEffect(db, actor.at, params.tariff_id, query.number)),
  write(staff.createTariff, ({ db, actor, body }) => createTariff(db, actor, body)),
  write(staff.addTariffVersion, ({ db, actor, params, body }) => addTariffVersion(db, actor, params.tariff_id, body)),
  write(staff.previewTariffVersion, ({ db, actor, params, body }) => previewTariffVersion(db, actor, params.tariff_id, body)),
  write(staff.withdrawTariffVersion, ({ db, actor, params, body }) => withdrawTariffVersion(db, actor, params.tariff_id, body.number)),
  read(staff.listAssignments, async ({ db, params }) => {
    const { id } = await getAccountOf(db, params.email)
    return { items: await listAssignments(db, id) }
  }),
  write(staff.assignTariff, async ({ db, actor, params, body }) => ({ items: await assignTariff(db, actor, params.email, body) })),
]

export const tariffRoutes: Route[] = [
  ...staffRoutes.map(logged),
  read(prices.getPriceList, async ({ db, actor }) => getPriceList(db, await tariffOfAccount(db, actor))),
  read(prices.listPrices, async ({ db, actor, query }) => listPrices(db, await tariffOfAccount(db, actor), query)),
  stream(
    prices.exportPrices,
    ({ db, actor, query }) => exportPrices(db, () => tariffOfAccount(db, actor), query),
    undefined,
    ({ db, actor }) => tariffOfAccount(db, actor)
  ),
  read(prices.getPlan, async ({ db, actor }) => getPriceList(db, await tariffOfPlan(db, actor.at))),
  read(prices.listPlanPrices, async ({ db, actor, query }) => listPrices(db, await tariffOfPlan(db, actor.at), query)),
  stream(
    prices.exportPlanPrices,
    ({ db, actor, query }) => exportPrices(db, () => tariffOfPlan(db, actor.at), query),
    undefined,
    ({ db, actor }) => tariffOfPlan(db, actor.at)
  ),
]
