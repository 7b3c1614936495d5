import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { lookAtEvents } from './look-at-events.ts'
import { lookAtPayments } from './look-at-payments.ts'
import { giveUpPayBack, payBack } from './pay-back.ts'
import { settlePayment } from './settle-payment.ts'
import { cancelPayment, giveUpTopUp, startTopUp } from './start-top-up.ts'

export const paymentTasks: readonly Task[] = [
  { ...task('billing.start_top_up', startTopUp), gaveUp: giveUpTopUp },
  { ...task('billing.pay_back', payBack), gaveUp: giveUpPayBack },
  task('billing.settle_payment', settlePayment),
  task('billing.cancel_payment', cancelPayment),
  task('billing.look_at_payments', lookAtPayments, '* * * * *'),
  task('billing.look_at_events', lookAtEvents, '*/10 * * * *'),
]
