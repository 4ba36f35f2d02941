import express from 'express';
import { folderOf } from '../demo-data/demo-app.js';
import { demoApps } from '../demo-data/demo-apps.js';
import { pictureFiles } from '../demo-data/demo-pictures.js';
import { staticFiles } from '../server/static-response.js';
import { staticPage } from './document.js';
import { HOME_CSS } from './home.css.js';

/** The pictures and the websites of the demo apps, under `/dev` and in development only (D200). */
export function demoPages(): express.Router {
  const router = express.Router();
  // Front ends on other ports show the pictures too.
  const headers = { 'cross-origin-resource-policy': 'cross-origin' };
  router.use(
    '/pictures',
    staticFiles(pictureFiles(), () => headers),
  );
  for (const app of demoApps) router.get(`/websites/${folderOf(app)}`, website(app.name).send);
  return router;
}

const website = (name: string) =>
  staticPage({
    title: name,
    css: HOME_CSS,
    body: `<h1 dir="auto">${name}</h1>
  <p class="lead">This page stands for the website of an app of the demo data.</p>`,
  });
