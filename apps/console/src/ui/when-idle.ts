/** Acts when the browser has nothing else to do. Safari before 26 cannot say when that is. */
export const whenIdle = (act: () => void) =>
  typeof requestIdleCallback === 'function' ? requestIdleCallback(act, { timeout: 5000 }) : setTimeout(act, 1000)
