/** Of this agent; the same as in its package. */
export const version = '0.1.0'
