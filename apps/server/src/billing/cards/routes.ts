import * as ops from '@masthead/contract/billing/card-operations'
import { once } from '../../kernel/http/idempotency.ts'
import { consoleAddress, screenAddress } from '../../kernel/http/console-address.ts'
import { reach, read, type Route, write } from '../../kernel/http/routes.ts'
import { listCards } from './card-queries.ts'
import { finishCardSetup, getCardSetup, startCardSetup } from './card-setup.ts'
import { makeCardDefault, removeCard } from './change-cards.ts'

export const cardRoutes: Route[] = [
  read(ops.listCards, async ({ db, actor }) => ({ items: await listCards(db, actor) })),
  read(ops.getCardSetup, ({ db, actor, params }) => getCardSetup(db, actor, params.card_setup_id)),
  write(ops.startCardSetup, ({ db, actor }) => startCardSetup(db, actor, null)),
  // The provider's page leads back to where the console was asked for, which the request says.
  reach(ops.startHostedCardSetup, ({ app, request, actor }) => {
    const back = consoleAddress(app.config, request) + screenAddress(app.config, '/billing')
    return app.db.transaction().execute((tx) => once(tx, actor, request, ops.startHostedCardSetup, () => startCardSetup(tx, actor, back)))
  }),
  write(ops.finishCardSetup, ({ db, actor, params }) => finishCardSetup(db, actor, params.card_setup_id)),
  write(ops.makeCardDefault, ({ db, actor, params }) => makeCardDefault(db, actor, params.card_id)),
  write(ops.removeCard, ({ db, actor, params }) => removeCard(db, actor, params.card_id)),
]
