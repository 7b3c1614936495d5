import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { detachCard } from './change-cards.ts'
import { forgetCardSetups, giveUpCardSetup, giveUpSettling, checkCardSetups, prepareCardSetup, settleCardSetup } from './card-setup.ts'

export const cardTasks: readonly Task[] = [
  { ...task('prepare_card_setup', prepareCardSetup), gaveUp: giveUpCardSetup },
  { ...task('settle_card_setup', settleCardSetup), gaveUp: giveUpSettling },
  task('billing.look_at_card_setups', checkCardSetups, '* * * * *'),
  task('detach_card', detachCard),
  task('forget_card_setups', forgetCardSetups, '27 3 * * *'),
]
