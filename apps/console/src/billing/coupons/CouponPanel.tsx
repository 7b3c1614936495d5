import { couponWords, type CouponUse } from '@masthead/contract/billing/coupons/coupon'
import { listCouponUses, redeemCoupon } from '@masthead/contract/billing/coupons/operations'
import { formatDay } from '@masthead/contract/kernel/time'
import { useQuery } from '@tanstack/react-query'
import { FormProvider } from 'react-hook-form'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { FormText } from '../../kit/FormField.tsx'
import { useOperationForm } from '../../kit/use-operation-form.ts'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toast } from '../../ui/toast.ts'
import { inCents } from '../money-words.ts'

/** A code is typed here, and those that were redeemed stand below. */
export function CouponPanel() {
  const { data, error, refetch } = useQuery(q(listCouponUses, { query: { page_size: 5 } }))
  const { form, submit, failure, submitting } = useOperationForm(redeemCoupon, {
    values: { code: '' },
    onDone: (use) => {
      toast.success(
        use.given_micros === null
          ? `Coupon ${use.code} is kept for the next credits`
          : `${inCents(use.given_micros, use.currency)} were added`
      )
      form.reset({ code: '' })
    },
  })
  return (
    <Panel title="Coupon">
      <FormProvider {...form}>
        <form onSubmit={(event) => void submit(event)} className="flex flex-wrap items-end gap-3">
          <div className="min-w-44 flex-1">
            <FormText name="code" label="Code" />
          </div>
          <ActionButton operation={redeemCoupon} type="submit" loading={submitting}>
            Redeem
          </ActionButton>
        </form>
      </FormProvider>
      {failure && (
        <div className="pt-3">
          <FailureNotice of={failure} />
        </div>
      )}
      {error && !data && (
        <div className="pt-3">
          <FailureNotice
            of={error}
            action={
              <button type="button" className="link" onClick={() => void refetch()}>
                Try again
              </button>
            }
          >
            Your redeemed coupons could not be loaded. {error.detail}
          </FailureNotice>
        </div>
      )}
      {data && data.items.length > 0 && (
        <ul aria-label="Redeemed coupons" className="mt-4 divide-y divide-line border-t border-line text-sm">
          {data.items.map((use) => (
            <li key={use.coupon_id} className="grid gap-x-3 py-2 @sm:grid-cols-[1fr_auto]">
              <span className="font-medium wrap-anywhere">{use.code}</span>
              <span className="text-fg-3">{formatDay(use.used_at)}</span>
              <span className="text-fg-2 @sm:col-span-2">{useWords(use)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function useWords(use: CouponUse): string {
  if (use.given_micros === null) return `Waits: ${couponWords(use)}.`
  const end = use.credit_days === null ? '' : `, to be spent within ${use.credit_days === 1 ? '1 day' : `${use.credit_days} days`}`
  return `${inCents(use.given_micros, use.currency)} were added on ${formatDay(use.given_at!)}${end}.`
}
