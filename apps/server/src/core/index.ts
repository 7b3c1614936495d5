// What the server, and the demo, take of CORE.
export { pauseDeployment } from './change-deployment.ts'
export { createDeployment } from './create-deployment.ts'
export { mountDeploy } from './enrol/mount-deploy.ts'
