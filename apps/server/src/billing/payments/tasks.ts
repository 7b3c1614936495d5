import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { checkEvents } from './check-events.ts'
import { checkPayments } from './check-payments.ts'
import { giveUpPayBack, payBack } from './pay-back.ts'
import { settlePayment } from './settle-payment.ts'
import { cancelPayment, giveUpTopUp, startTopUp } from './start-top-up.ts'

export const paymentTasks: readonly Task[] = [
  { ...task('billing.start_top_up', startTopUp), gaveUp: giveUpTopUp },
  { ...task('billing.pay_back', payBack), gaveUp: giveUpPayBack },
  task('billing.settle_payment', settlePayment),
  task('billing.cancel_payment', cancelPayment),
  task('billing.look_at_payments', checkPayments, '* * * * *'),
  task('billing.look_at_events', checkEvents, '*/10 * * * *'),
]
