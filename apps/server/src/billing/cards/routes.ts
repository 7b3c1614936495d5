import * as ops from '@masthead/contract/billing/card-operations'
import { read, type Route, write } from '../../kernel/http/routes.ts'
import { listCards } from './card-queries.ts'
import { finishCardSetup, getCardSetup, startCardSetup } from './card-setup.ts'
import { makeCardDefault, removeCard } from './change-cards.ts'

export const cardRoutes: Route[] = [
  read(ops.listCards, async ({ db, actor }) => ({ items: await listCards(db, actor) })),
  read(ops.getCardSetup, ({ db, actor, params }) => getCardSetup(db, actor, params.card_setup_id)),
  write(ops.startCardSetup, ({ db, actor }) => startCardSetup(db, actor)),
  write(ops.finishCardSetup, ({ db, actor, params }) => finishCardSetup(db, actor, params.card_setup_id)),
  write(ops.makeCardDefault, ({ db, actor, params }) => makeCardDefault(db, actor, params.card_id)),
  write(ops.removeCard, ({ db, actor, params }) => removeCard(db, actor, params.card_id)),
]
