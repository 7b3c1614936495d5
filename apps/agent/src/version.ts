/** Of the agent. npm run agent:version writes this file. */
export const version = '0.330.71317'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = 'c76fbc1c194d4678590eea454c1dac627dc941e80b1b7a0cdadb64880fade41e'
