// Draws the figures of the page with Vega where a static picture stands until then. Colours are CSS variables, so themes,
// print and forced colours need no second drawing; only a change of width does.
(function () {
  'use strict';

  var content = JSON.parse(document.getElementById('figure-data').textContent);
  var MOST_EXCESS = 160; // small multiples that are still too wide after this stay so
  var NARROW = 520; // plots narrower than this have their legend below

  // The spec with every colour of the theme as a CSS variable; data are left alone.
  function themed(value, key) {
    if (key === 'values' || key === 'datasets') return value;
    if (typeof value === 'string') return content.colours[value.toUpperCase()] || value;
    if (Array.isArray(value)) return value.map(function (part) { return themed(part); });
    if (value === null || typeof value !== 'object') return value;
    var copy = {};
    Object.keys(value).forEach(function (name) { copy[name] = themed(value[name], name); });
    return copy;
  }

  // Small multiples below each other, or a single plot, as wide as the column of text. Only small multiples must know
  // what their axes take beside the plots: a guess, and `excess` by which an earlier drawing was too wide.
  function fitted(spec, width, excess) {
    var narrow = width < NARROW;
    if (spec.spec) {
      spec.columns = narrow ? 1 : spec.columns || 2;
      var margins = 76 + 20 * (spec.columns - 1);
      spec.spec.width = Math.floor((width - margins - excess) / spec.columns);
    } else {
      spec.width = width;
      spec.autosize = { type: 'fit-x', contains: 'padding' };
    }
    if (narrow) {
      spec.config = spec.config || {};
      var below = { orient: 'bottom', direction: 'vertical', columns: 1, titleOrient: 'top', labelLimit: width - 100, layout: { bottom: { direction: 'vertical', anchor: 'start' } } };
      spec.config.legend = Object.assign({}, spec.config.legend, below);
    }
    return spec;
  }

  function words(value) {
    return typeof value === 'number' ? String(+value.toPrecision(6)) : String(value);
  }

  // One tip for all figures: what a point stands for, as text.
  var tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  document.body.appendChild(tip);
  function showTip(handler, event, item, value) {
    tip.hidden = value === null || value === undefined || value === '';
    if (tip.hidden) return;
    tip.textContent = '';
    var pairs = typeof value === 'object' ? Object.keys(value).map(function (name) { return [name, value[name]]; }) : [[value]];
    var list = document.createElement('dl');
    pairs.forEach(function (pair) {
      var name = document.createElement('dt');
      var text = document.createElement('dd');
      name.textContent = pair.length > 1 ? words(pair[0]) : '';
      text.textContent = words(pair[pair.length - 1]);
      list.append(name, text);
    });
    tip.appendChild(list);
    var box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 4)) + 'px';
    tip.style.top = Math.max(4, Math.min(event.clientY + 12, innerHeight - box.height - 4)) + 'px';
  }
  document.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') tip.hidden = true;
  });

  // Draws one figure into its place; the static picture stays where Vega cannot.
  function draw(figure, place, excess) {
    var width = Math.floor(place.clientWidth);
    if (width === 0 || (width === place.drawnWidth && excess === 0)) return;
    place.drawnWidth = width;
    var spec = fitted(themed(JSON.parse(JSON.stringify(figure.spec))), width, excess);
    var stage = document.createElement('div');
    var view = new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: 'svg', hover: false });
    view.tooltip(showTip).initialize(stage).runAsync().then(function () {
      var wider = Math.ceil(stage.querySelector('svg').getAttribute('width') - width);
      if (wider > 0 && spec.spec && excess < MOST_EXCESS) return draw(figure, place, excess + wider);
      if (place.view) place.view.finalize();
      place.view = view;
      place.replaceChildren(stage);
      place.dataset.drawn = 'yes';
    }).catch(function (error) { console.error(figure.name, error); });
  }

  // A figure's rows: a copy of the table that stands once at the end of the page.
  function fillRows(event) {
    var details = event.target;
    var rows = details.open && document.getElementById(details.dataset.rows);
    if (!rows || details.querySelector('.rows-body')) return;
    details.querySelector('a').remove();
    details.appendChild(rows.querySelector('.rows-body').cloneNode(true));
  }
  document.querySelectorAll('details.rows').forEach(function (details) { details.addEventListener('toggle', fillRows); });

  var watch = new ResizeObserver(function (entries) {
    entries.forEach(function (entry) { draw(content.figures[entry.target.dataset.figure], entry.target, 0); });
  });
  // Text is measured by what is loaded, so the fonts come first.
  document.fonts.ready.then(function () {
    document.querySelectorAll('.plot').forEach(function (place) { watch.observe(place); });
  });
})();
