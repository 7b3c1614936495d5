import type { FormEvent, ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** The fields of a form before sign-in, its failure above them, its one button below. */
export function FormBody({
  failure,
  onSubmit,
  children,
  submit,
  submitting,
}: {
  failure: string | null
  onSubmit: (event: FormEvent) => void
  children: ReactNode
  submit: string
  submitting: boolean
}) {
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      {failure && <Notice tone="bad">{failure}</Notice>}
      {children}
      <Button type="submit" color="primary-solid" size="large" loading={submitting}>
        {submit}
      </Button>
    </form>
  )
}
