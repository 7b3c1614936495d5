const controls = 'input:enabled, textarea:enabled, button:enabled'

/** Takes whoever sent a form to its first wrong field: in a long one its words may not be visible. */
export function goToFirstMistake(form: Element): void {
  const wrong = form.querySelector<HTMLElement>('[data-invalid], [aria-invalid="true"]')
  const control = wrong?.matches(controls) ? wrong : wrong?.querySelector<HTMLElement>(controls)
  control?.focus({ preventScroll: true })
  // With its words, which stand below it.
  wrong?.scrollIntoView({ block: 'center' })
}
